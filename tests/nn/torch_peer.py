"""PyTorch's answers for networks whose weights a test wrote down.

Usage: torch_peer.py FOLDER. Every FOLDER/<case>.safetensors holds parameters ("parameter.<name>"),
inputs ("input.<name>") and what nw computed ("ours.<name>"); its metadata say which network it is.
Writes FOLDER/differences.json: for each case and answer the largest difference, relative to the
largest entry of PyTorch's answer (of all its gradients, for a gradient). Exits with 77 where PyTorch
is missing.
"""

import json
import pathlib
import struct
import sys

try:
    import numpy
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(77)

import backbone_peer

torch.set_num_threads(1)


def read(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    types = {"F32": numpy.float32, "F64": numpy.float64, "I64": numpy.int64}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        values = numpy.frombuffer(data[begin:end], dtype=types[entry["dtype"]])
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return tensors, metadata


def part(tensors, prefix):
    return {
        name[len(prefix) :]: value for name, value in tensors.items() if name.startswith(prefix)
    }


# Critics: parameters -> function of rows.


def images(rows, size):
    height, width, channels = size
    return rows.view(-1, height, width, channels).permute(0, 3, 1, 2)


def spectral(weight, buffers, index):
    """PyTorch's own spectral norm of one weight, started from our singular vectors."""
    if not buffers:
        return weight
    u, v = buffers[f"{index}.u"], buffers[f"{index}.v"]
    sigma = torch.dot(u, torch.mv(weight.flatten(1), v))
    return weight / sigma


def mlp_critic(p, x, options, buffers):
    layers = len(p) // 2
    for l in range(layers):
        weight = spectral(p[f"linear{l}.weight"], buffers, 2 * l)
        x = F.linear(x, weight, p[f"linear{l}.bias"])
        if l + 1 < layers:
            x = F.leaky_relu(x, options["slope"])
    return x.squeeze(1)


def convolutional_critic(p, x, options, buffers):
    x = images(x, options["image"])
    layers = len(p) // 2
    for l in range(layers):
        weight, bias = spectral(p[f"conv{l}.weight"], buffers, 2 * l), p[f"conv{l}.bias"]
        last = l + 1 == layers
        x = F.conv2d(x, weight, bias, stride=1 if last else 2, padding=0 if last else 1)
        if not last:
            x = F.leaky_relu(x, options["slope"])
    return x.flatten()


def residual_critic(p, x, options, buffers):
    x = images(x, options["image"])
    blocks = sum(name.endswith("conv0.weight") for name in p)
    act = torch.nn.LeakyReLU(options["slope"])
    for b in range(blocks):
        conv = lambda part, value, pad: F.conv2d(
            value, p[f"block{b}.{part}.weight"], p[f"block{b}.{part}.bias"], padding=pad
        )
        inner = conv("conv1", act(conv("conv0", x if b == 0 else act(x), 1)), 1)
        if f"block{b}.shortcut.weight" in p:
            x = F.avg_pool2d(inner, 2) + conv("shortcut", F.avg_pool2d(x, 2), 0)
        else:
            x = inner + x
    x = act(x).mean((2, 3))
    return F.linear(x, p["linear.weight"], p["linear.bias"]).squeeze(1)


def critic_answers(forward, p, inputs, options, buffers):
    parameters = list(p.values())
    x = inputs["points"].requires_grad_(True)
    values = forward(p, x, options, buffers)
    objective = values.dot(inputs["weights"])
    answers = {"values": values}
    (answers["point_gradient"],) = torch.autograd.grad(objective, [x], retain_graph=True)
    if "penalty_points" in inputs:
        hat = inputs["penalty_points"].requires_grad_(True)
        (slope,) = torch.autograd.grad(
            forward(p, hat, options, buffers).sum(), [hat], create_graph=True
        )
        penalty = options["penalty"] * ((slope.norm(dim=1) - 1) ** 2).mean()
        answers["penalty"] = penalty
        objective = objective - penalty
    gradients = torch.autograd.grad(objective, parameters, allow_unused=True)
    for name, gradient in zip(p, gradients):
        answers["gradient." + name] = gradient
    return answers


# Generators: one component after the other, without groups.


def affine_generator(p, z, options):
    for l in range(len(p) // 2):
        z = z @ p[f"linear{l}.weight"] + p[f"linear{l}.bias"]
    return z


def mlp_generator(p, z, options):
    layers = len(p) // 2
    for l in range(layers):
        z = z @ p[f"linear{l}.weight"] + p[f"linear{l}.bias"]
        if l + 1 < layers:
            z = F.relu(z)
    return z


def rows(image):
    return image.permute(0, 2, 3, 1).flatten(1)


def norm(x, p, name):
    return F.batch_norm(x, None, None, p[name + ".scale"], p[name + ".shift"], training=True)


def deconvolutional_generator(p, z, options):
    x = z.view(z.shape[0], -1, 1, 1)
    stages = sum(name.endswith("deconv.weight") for name in p)
    for s in range(stages):
        x = F.conv_transpose2d(
            x, p[f"stage{s}.deconv.weight"], p[f"stage{s}.deconv.bias"],
            stride=2 if s else 1, padding=1 if s else 0,
        )  # fmt: skip
        if s + 1 < stages:
            x = F.relu(norm(x, p, f"stage{s}.norm"))
    return rows(torch.tanh(x))


def residual_generator(p, z, options):
    x = (z @ p["linear.weight"] + p["linear.bias"]).view(z.shape[0], -1, 4, 4)
    for b in range(sum(name.endswith("conv0.weight") for name in p)):
        conv = lambda part, value, pad: F.conv2d(
            value, p[f"block{b}.{part}.weight"], p[f"block{b}.{part}.bias"], padding=pad
        )
        up = lambda value: F.interpolate(value, scale_factor=2, mode="nearest")
        inner = conv("conv0", up(F.relu(norm(x, p, f"block{b}.norm0"))), 1)
        inner = conv("conv1", F.relu(norm(inner, p, f"block{b}.norm1")), 1)
        x = inner + conv("shortcut", up(x), 0)
    x = F.conv2d(F.relu(norm(x, p, "norm")), p["conv.weight"], p["conv.bias"], padding=1)
    return rows(torch.tanh(x))


def generator_answers(forward, p, inputs, options):
    k = inputs["z"].shape[0]
    outputs = [
        forward({name: value[j] for name, value in p.items()}, inputs["z"][j], options)
        for j in range(k)
    ]
    output = torch.stack(outputs)
    gradients = torch.autograd.grad((output * inputs["weights"]).sum(), list(p.values()))
    answers = {"output": output}
    for name, gradient in zip(p, gradients):
        answers["gradient." + name] = gradient
    return answers


# Feature networks and classifiers: both domains by loops of their own where batch norm tells them
# apart.

SOURCE_ROWS = 4


def feature_norm(x, p, name, options):
    if options["norm"] == "none":
        return x
    one = lambda part: F.batch_norm(
        part, None, None, p[name + ".norm.scale"], p[name + ".norm.shift"], training=True
    )
    if options["norm"] == "joint":
        return one(x)
    return torch.cat([one(x[:SOURCE_ROWS]), one(x[SOURCE_ROWS:])])


def finish(x, options):
    return F.normalize(x, dim=1) if options["unit_length"] else x


def lenet_features(p, x, options):
    for l in range(2):
        x = F.conv2d(x, p[f"conv{l}.weight"], p[f"conv{l}.bias"])
        x = F.max_pool2d(F.relu(feature_norm(x, p, f"conv{l}", options)), 2)
    return finish(x.flatten(1), options)


def small_features(p, x, options):
    x = (x - x.mean((2, 3), keepdim=True)) / (x.var((2, 3), unbiased=False, keepdim=True) + 4e-3).sqrt()
    for block in range(sum(name.endswith("a.weight") for name in p)):
        for half in "ab":
            name = f"conv{block}{half}"
            x = F.conv2d(x, p[name + ".weight"], padding=1)
            x = F.leaky_relu(feature_norm(x, p, name, options), 0.1)
        x = F.max_pool2d(x, 2)
    return finish(F.linear(x.mean((2, 3)), p["linear.weight"], p["linear.bias"]), options)


def mlp_features(p, x, options):
    layers = sum(name.endswith("linear%d.weight" % l) for l in range(9) for name in p)
    x = feature_norm(x, p, "input", options)
    for l in range(layers):
        x = F.linear(x, p[f"linear{l}.weight"], p[f"linear{l}.bias"])
        if l + 1 < layers:
            x = F.relu(feature_norm(x, p, f"linear{l}", options))
    return finish(x, options)


def classifier(p, x, options):
    layers = len(p) // 2
    for l in range(layers):
        x = F.linear(x, p[f"linear{l}.weight"], p[f"linear{l}.bias"])
        if l + 1 < layers:
            x = F.relu(x)
    return x


def row_answers(forward, p, inputs, options):
    output = forward(p, inputs["rows"], options)
    gradients = torch.autograd.grad((output * inputs["weights"]).sum(), list(p.values()))
    answers = {"output": output}
    for name, gradient in zip(p, gradients):
        answers["gradient." + name] = gradient
    return answers


def optimizer_answers(inputs, options):
    x = inputs["start"].clone().requires_grad_(True)
    if options["network"] == "adam":
        optimizer = torch.optim.Adam(
            [x], lr=options["rate"], betas=(options["beta1"], options["beta2"])
        )
    else:
        optimizer = torch.optim.RMSprop([x], lr=options["rate"])
    for gradient in inputs["gradients"]:
        x.grad = gradient.clone()
        optimizer.step()
    return {"end": x}


def spectral_answers(inputs):
    """The module PyTorch users know: torch.nn.utils.spectral_norm, three training passes."""
    weight = inputs["weight"]
    layer = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    layer.weight.data.copy_(weight)
    layer = torch.nn.utils.spectral_norm(layer)
    layer.weight_u.copy_(inputs["u"])
    layer.train()
    for _ in range(3):
        output = layer(inputs["x"])
    (gradient,) = torch.autograd.grad((output * inputs["y"]).sum(), [layer.weight_orig])
    return {"output": output, "gradient": gradient}


def answers_of(tensors, options):
    inputs, network = part(tensors, "input."), options["network"]
    if network in ("adam", "rmsprop"):
        return optimizer_answers(inputs, options)
    if network == "spectral_norm":
        return spectral_answers(inputs)
    p = {name: value.requires_grad_(True) for name, value in part(tensors, "parameter.").items()}
    if network in backbone_peer.NETWORKS:
        return backbone_peer.NETWORKS[network](p, inputs, options)
    forward = globals()[network]
    if network.endswith("critic"):
        return critic_answers(forward, p, inputs, options, part(tensors, "buffer."))
    if "rows" in inputs:
        return row_answers(forward, p, inputs, options)
    return generator_answers(forward, p, inputs, options)


def main():
    folder = pathlib.Path(sys.argv[1])
    differences = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors, metadata = read(path)
        answers = answers_of(tensors, json.loads(metadata["options"]))
        if answers is None:  # a peer of this case alone is missing
            continue
        ours = part(tensors, "ours.")
        case = {}
        # Gradients are measured by the largest one of the network: a bias before batch norm has
        # none but rounding.
        gradients = [v.abs().max() for n, v in answers.items() if "gradient" in n and v is not None]
        for name, value in answers.items():
            value = torch.zeros_like(ours[name]) if value is None else value.detach()
            scale = max(gradients) if "gradient." in name else value.abs().max()
            scale = max(scale.item(), 1e-12)
            case[name] = (ours[name].view(value.shape) - value).abs().max().item() / scale
        if set(case) != set(ours):
            raise SystemExit(f"{path.stem}: answers {sorted(case)}, ours {sorted(ours)}")
        differences[path.stem] = case
    (folder / "differences.json").write_text(json.dumps(differences))


if __name__ == "__main__":
    main()
