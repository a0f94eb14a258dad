"""Messages to people who are away: what is told to whom and when, and by Web Push, webhooks and mail."""
