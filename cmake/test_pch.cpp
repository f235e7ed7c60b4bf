// Carries the precompiled header of the tests. An executable, because a precompiled header serves
// only targets compiled with the same position-independence.
int main() {}
