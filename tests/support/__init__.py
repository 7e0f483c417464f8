"""What tests share: tables, slow references, runs that are killed, and how many examples a property is tried with."""
