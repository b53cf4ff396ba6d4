"""Files that people bring, turned into tables and models; every refusal is one sentence."""
