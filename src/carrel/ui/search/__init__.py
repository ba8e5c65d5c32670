"""The search pane."""
