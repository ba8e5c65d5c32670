"""Carrel: a desktop for documents, over an AI document, chat, agent and workflow service."""

__version__ = "0.1.0"
