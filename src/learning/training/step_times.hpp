#pragma once

namespace scholar::learning {

struct StepTimes {
    double forward = 0;  // seconds
    double backward = 0;
    double update = 0;
};

}  // namespace scholar::learning
