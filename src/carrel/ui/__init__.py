"""The window: Qt, and nothing that waits."""
