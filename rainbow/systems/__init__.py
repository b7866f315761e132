"""Systems compared: by metrics of whole corpora, by properties of their texts, and by people's judgements."""
