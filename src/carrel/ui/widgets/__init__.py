"""Widgets that know nobody: they speak by signals and listen by methods."""
