"""What is kept on this machine: the journal, the settings, the secrets."""
