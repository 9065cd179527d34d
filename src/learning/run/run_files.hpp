#pragma once

// Names that the folder of a run, of whatever kind, has for what others read.

namespace scholar::learning {

// What the run has learnt, for the engine.
inline constexpr const char* kNetworkFile = "network.safetensors";
// What others go on from, where what the engine reads does not have it all.
// Of perspective networks and sparse policies, before they were rounded:
inline constexpr const char* kFloatNetworkFile = "network-float.safetensors";
// Of dense networks of moves, and of residual ones with batch norm as it was learnt:
inline constexpr const char* kWeightsFile = "network-weights.safetensors";
inline constexpr const char* kUnfoldedFile = "network-unfolded.safetensors";
// What happened, a record a line.
inline constexpr const char* kMetricsFile = "metrics.jsonl";
// Networks that it kept: by core-minutes; and those that its ratings are made with, or that it had after so
// many games.
inline constexpr const char* kMilestonesFolder = "milestones";
inline constexpr const char* kSnapshotsFolder = "snapshots";
// How it went, for people.
inline constexpr const char* kReportFile = "report.md";
// All that the report shows: plots, games.
inline constexpr const char* kReportFolder = "report";

}  // namespace scholar::learning
