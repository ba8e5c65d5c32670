"""The workflows pane."""
