"""The agents pane."""
