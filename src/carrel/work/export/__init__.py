"""Chats as files: Markdown, one HTML page, PDF by way of that page, and JSON with all that is known."""
