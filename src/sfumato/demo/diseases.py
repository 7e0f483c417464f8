"""The diseases of the demo hospital: a taxonomy of three levels, and whom each of them befalls. All made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["DISEASES", "RISKS", "Risk", "disease_rows"]


@dataclass(frozen=True)
class Risk:
    """How often a disease occurs at its typical age, how far ages spread around it, and its share among women."""

    frequency: float
    age: float
    spread: float
    women: float = 0.5


_TREE: Mapping[str, Mapping[str, Mapping[str, Risk]]] = {
    "respiratory": {
        "airway infection": {
            "influenza": Risk(6, 35, 40),
            "pneumonia": Risk(5, 75, 25, 0.45),
            "bronchitis": Risk(5, 8, 25),
        },
        "chronic lung disease": {
            "asthma": Risk(4, 18, 18, 0.55),
            "COPD": Risk(4, 68, 12, 0.4),
        },
    },
    "circulatory": {
        "heart disease": {
            "heart failure": Risk(6, 80, 12),
            "heart attack": Risk(5, 66, 13, 0.3),
            "atrial fibrillation": Risk(4, 74, 12, 0.45),
        },
        "vascular disease": {
            "hypertension": Risk(5, 62, 18),
            "stroke": Risk(5, 75, 13),
            "varicose veins": Risk(2, 50, 14, 0.75),
        },
    },
    "digestive": {
        "stomach and bowel disease": {
            "gastritis": Risk(4, 42, 25),
            "appendicitis": Risk(5, 18, 14, 0.45),
            "Crohn's disease": Risk(2, 30, 14),
        },
        "liver and bile disease": {
            "gallstones": Risk(5, 50, 16, 0.7),
            "hepatitis": Risk(2, 40, 16, 0.4),
        },
    },
    "cancer": {
        "cancer of a sex organ": {
            "breast cancer": Risk(7, 60, 15, 0.99),
            "prostate cancer": Risk(7, 70, 10, 0.0),
        },
        "other cancer": {
            "lung cancer": Risk(4, 67, 11, 0.4),
            "bowel cancer": Risk(4, 68, 12, 0.45),
        },
    },
    "mind and nerves": {
        "mental disorder": {
            "depression": Risk(5, 40, 18, 0.65),
            "anxiety disorder": Risk(3, 28, 14, 0.65),
        },
        "nervous disease": {
            "migraine": Risk(4, 35, 13, 0.75),
            "epilepsy": Risk(2, 15, 25),
        },
    },
    "metabolism and bones": {
        "metabolic disease": {
            "diabetes": Risk(5, 60, 18, 0.45),
            "thyroid disorder": Risk(3, 45, 16, 0.8),
        },
        "bone and joint disease": {
            "hip fracture": Risk(6, 84, 9, 0.7),
            "arthritis": Risk(4, 64, 14, 0.65),
        },
    },
}

DISEASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    chapter: {group: tuple(diseases) for group, diseases in groups.items()} for chapter, groups in _TREE.items()
}
"""Chapter, group, diseases."""

RISKS: Mapping[str, Risk] = {
    disease: risk for groups in _TREE.values() for diseases in groups.values() for disease, risk in diseases.items()
}


def disease_rows() -> list[tuple[str, str, str, str]]:
    """Every disease with its ancestors: the lines of a hierarchy file."""
    return [
        (disease, group, chapter, "*")
        for chapter, groups in DISEASES.items()
        for group, diseases in groups.items()
        for disease in diseases
    ]
