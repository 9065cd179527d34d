#include "learning/conv/residual_network.hpp"

namespace scholar::learning {

ResidualNetwork::ResidualNetwork(const nets::ConvShape& shape, nets::Precision precision)
    : shape_(shape), precision_(precision), trunk_(register_module("trunk", ResidualTrunk(shape))) {
    if (shape.policy == nets::PolicyForm::Squares)
        squares_ = register_module("policy", SquaresHead(shape));
    else
        policy_ = register_module("policy", PolicyHead(shape));
    if (shape.value == nets::ValueForm::Wdl) value_ = register_module("value", WdlHead(shape));
}

Tensors ResidualNetwork::forward(const Tensors& inputs) {
    const nets::Precision precision = is_training() ? precision_ : nets::Precision::F32;
    const at::Tensor filters = trunk_->forward(inputs.at(0), precision);
    Tensors said{squares_ ? squares_->forward(filters, precision) : policy_->forward(filters, precision)};
    if (value_) said.push_back(value_->forward(filters, precision));
    return said;
}

nets::ConvNetwork ResidualNetwork::exported() const {
    nets::ConvNetwork network;
    network.info.shape = shape_;
    trunk_->export_to(network);
    if (squares_)
        squares_->export_to(network);
    else
        policy_->export_to(network);
    if (value_) value_->export_to(network);
    return network;
}

}  // namespace scholar::learning
