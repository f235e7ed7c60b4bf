"""PyTorch's answers for backbones and autoencoders: torchvision's own network where it has one."""

import torch
import torch.nn.functional as F


def images(rows, size):
    height, width, channels = size
    return rows.view(-1, height, width, channels).permute(0, 3, 1, 2)


def with_gradients(answers, output, weights, parameters, names):
    gradients = torch.autograd.grad((output * weights).sum(), [parameters[name] for name in names])
    for name, gradient in zip(names, gradients):
        answers["gradient." + name] = gradient
    return answers


def of_torchvision(name, p, inputs, options, **more):
    try:
        import torchvision
    except ImportError:
        return None
    model = getattr(torchvision.models, name)(num_classes=len(p["fc.bias"]), **more)
    counters = {n: v for n, v in model.state_dict().items() if n.endswith("num_batches_tracked")}
    model.load_state_dict({**{n: v.detach() for n, v in p.items()}, **counters}, strict=True)
    model.eval()
    mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
    deviation = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
    x = (images(inputs["rows"], options["image"]) - mean) / deviation
    seen = []
    model.avgpool.register_forward_hook(lambda module, given, out: seen.append(out.flatten(1)))
    logits = model(x)
    own = dict(model.named_parameters())
    answers = {"features": seen[0], "logits": logits}
    return with_gradients(answers, logits, inputs["weights"], own, options["gradients"])


def resnet18(p, inputs, options):
    return of_torchvision("resnet18", p, inputs, options)


def inception_v3(p, inputs, options):
    return of_torchvision(
        "inception_v3", p, inputs, options, aux_logits=False, transform_input=True, init_weights=False
    )


def cifar_resnet(p, inputs, options):
    """The layout that the data pack's README tells, in plain functions."""

    def norm(name, x):
        mean, variance = p[name + ".running_mean"], p[name + ".running_var"]
        return F.batch_norm(
            x, mean.detach(), variance.detach(), p[name + ".weight"], p[name + ".bias"]
        )

    mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
    deviation = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
    x = (images(inputs["rows"], options["image"]) - mean) / deviation
    x = F.relu(norm("bn1", F.conv2d(x, p["conv1.weight"], padding=1)))
    for stage in (1, 2, 3):
        block = 0
        while f"layer{stage}.{block}.conv1.weight" in p:
            name = f"layer{stage}.{block}."
            stride = 2 if stage > 1 and block == 0 else 1
            y = F.conv2d(x, p[name + "conv1.weight"], stride=stride, padding=1)
            y = F.conv2d(F.relu(norm(name + "bn1", y)), p[name + "conv2.weight"], padding=1)
            if stride == 2:
                zeros = torch.zeros(x.shape[0], x.shape[1] // 2, *y.shape[2:])
                x = torch.cat([zeros, x[:, :, ::2, ::2], zeros], 1)
            x = F.relu(norm(name + "bn2", y) + x)
            block += 1
    features = torch.nn.AdaptiveAvgPool2d(1)(x).flatten(1)
    logits = F.linear(features, p["linear.weight"], p["linear.bias"])
    answers = {"features": features, "logits": logits}
    return with_gradients(answers, logits, inputs["weights"], p, options["gradients"])


def mobilenet(p, inputs, options):
    """The layout that the data pack's README tells: one module per line of its description."""
    strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]

    def norm(name, x):
        mean, variance = p[f"{name}_bn/moving_mean"], p[f"{name}_bn/moving_variance"]
        x = F.batch_norm(
            x, mean.detach(), variance.detach(), p[f"{name}_bn/gamma"], p[f"{name}_bn/beta"],
            eps=1e-3,
        )  # fmt: skip
        return torch.nn.ReLU6()(x)

    def padded(x, stride):
        return torch.nn.ZeroPad2d((0, 1, 0, 1) if stride == 2 else (1, 1, 1, 1))(x)

    x = 2 * images(inputs["rows"], options["image"]) - 1
    x = norm("conv1", F.conv2d(padded(x, 2), p["conv1/kernel"], stride=2))
    for i, stride in enumerate(strides, 1):
        kernel = p[f"conv_dw_{i}/depthwise_kernel"]
        x = F.conv2d(padded(x, stride), kernel, stride=stride, groups=x.shape[1])
        x = norm(f"conv_dw_{i}", x)
        x = norm(f"conv_pw_{i}", F.conv2d(x, p[f"conv_pw_{i}/kernel"]))
    features = torch.nn.AdaptiveAvgPool2d(1)(x)
    logits = F.conv2d(features, p["conv_preds/kernel"], p["conv_preds/bias"]).flatten(1)
    answers = {"features": features.flatten(1), "logits": logits}
    return with_gradients(answers, logits, inputs["weights"], p, options["gradients"])


def autoencoder(p, inputs, options):
    """Encoder and decoder of the paper's denoising table, from torch.nn's modules."""

    def conv(name, padding):
        weight = p[name + ".weight"]
        return lambda x: F.conv2d(x, weight, p[name + ".bias"], padding=padding)

    def linear(name):
        return lambda x: F.linear(x, p[name + ".weight"], p[name + ".bias"])

    rows = inputs["rows"]
    if options["image"][0] == 0:
        embedding = rows
        for layer in range(3):
            embedding = linear(f"encoder.linear{layer}")(F.relu(embedding) if layer else embedding)
        output = embedding
        for layer in range(3):
            output = linear(f"decoder.linear{layer}")(F.relu(output) if layer else output)
    else:
        x = images(rows, options["image"])
        for layer in range(3):
            x = torch.nn.MaxPool2d(2)(F.relu(conv(f"encoder.conv{layer}", 1)(x)))
        embedding = linear("encoder.linear")(conv("encoder.conv3", 0)(x).flatten(1))
        x = linear("decoder.linear")(embedding)[:, :, None, None]
        x = torch.nn.Upsample(scale_factor=2)(F.relu(conv("decoder.conv0", 2)(x)))
        x = torch.nn.Upsample(scale_factor=4)(F.relu(conv("decoder.conv1", 2)(x)))
        output = conv("decoder.conv2", 1)(x).permute(0, 2, 3, 1).flatten(1)
    loss = torch.nn.MSELoss()(output, rows)
    answers = {"embedding": embedding, "output": output, "loss": loss}
    names = list(p)
    for name, gradient in zip(names, torch.autograd.grad(loss, [p[name] for name in names])):
        answers["gradient." + name] = gradient
    return answers


NETWORKS = {
    "resnet18": resnet18,
    "inception_v3": inception_v3,
    "cifar_resnet": cifar_resnet,
    "mobilenet": mobilenet,
    "autoencoder": autoencoder,
}
