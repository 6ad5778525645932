"""What each stage of the pipeline can be asked: frozen records, one per stage, with all that there is to say of an option."""
