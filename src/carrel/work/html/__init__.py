"""Markdown into HTML as cmark-gfm would write it, made with the `markdown` package, for exports and the clipboard."""
