"""The composer: what a person is about to send, with all that goes along."""

from carrel.ui.widgets.composer.composer import Composer

__all__ = ["Composer"]
