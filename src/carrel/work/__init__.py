"""What a person can do: one file a use case, async, without Qt."""
