"""The welcome page: the built-in service, or an account."""
