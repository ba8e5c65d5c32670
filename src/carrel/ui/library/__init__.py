"""The library pane: what is there, where it lies, and what is on its way."""
