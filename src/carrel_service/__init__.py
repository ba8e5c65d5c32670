"""The built-in service: the documented interface, answered by this computer alone, on loopback."""
