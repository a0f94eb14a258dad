"""People: accounts with handles and passkeys, and who follows, blocks and invites whom."""
