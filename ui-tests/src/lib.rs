//! Nothing of its own: the tests beside it compile what must compile and what must not.
