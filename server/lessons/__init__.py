"""Lessons: scripted games that teach the rules, played by the real engine."""
