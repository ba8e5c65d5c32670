"""The activity pane."""
