"""Finds personal data, financial data and credentials in text, and puts numbered tokens in their place."""
