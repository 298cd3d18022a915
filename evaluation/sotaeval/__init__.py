"""Regenerating records from models. So far: the metrics of counterfactual explanations, as pure tensor functions."""
