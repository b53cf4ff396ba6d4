"""Simple rules that hold around a case."""
