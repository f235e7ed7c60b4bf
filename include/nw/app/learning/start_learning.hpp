// What every command that learns decides before it starts.
#pragma once

namespace nw::app {

/// Threads of LibTorch (0: all cores) and an allocator that keeps the memory of one step for the
/// next.
void start_learning(int threads);

}  // namespace nw::app
