"""Exports networks from PyTorch as a user would, with what ONNX Runtime answers, for `./mie verify` to run:

    python3 bench/pytorch/networks.py DIR [PART-OF-A-NAME ...]
    ./mie verify DIR

Weights are random, so that nothing is downloaded. Needs PyTorch, onnxscript, onnx and onnxruntime; of torchvision, timm and
transformers what is there. Names begin with where a network is from; those of `script` were written by the older exporter.
"""

import contextlib
import functools
import importlib
import inspect
import io
import logging
import multiprocessing
import os
import pathlib
import shutil
import sys
import warnings

os.environ.update(OMP_NUM_THREADS="1", HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="")

import numpy
import onnxruntime
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

# --- networks by name ---

TORCHVISION = """alexnet vgg11_bn googlenet inception_v3 resnet18 resnext50_32x4d densenet121 squeezenet1_0 squeezenet1_1 mobilenet_v2
mobilenet_v3_small mobilenet_v3_large mnasnet0_5 mnasnet1_0 shufflenet_v2_x0_5 shufflenet_v2_x1_0 regnet_x_400mf regnet_y_400mf
efficientnet_b0 efficientnet_v2_s convnext_tiny swin_t swin_v2_t maxvit_t segmentation.fcn_resnet50
segmentation.deeplabv3_mobilenet_v3_large segmentation.lraspp_mobilenet_v3_large video.r3d_18 video.mc3_18 video.r2plus1d_18"""

TIMM = """botnet26t_256 cait_xxs24_224 coat_lite_tiny coatnet_nano_rw_224 convit_tiny convnextv2_atto crossvit_tiny_240
cs3darknet_s csatv2 cspresnet50 davit_tiny deit_tiny_distilled_patch16_224 dla34 dpn48b edgenext_xx_small efficientformer_l1
efficientvit_b0 efficientvit_m0 eva02_tiny_patch14_224 fastvit_t8 focalnet_tiny_srf gcresnext26ts gcvit_xxtiny ghostnet_050
ghostnetv2_100 gmlp_ti16_224 halonet26t hgnetv2_b0 hrnet_w18_small inception_next_atto lambda_resnet26t lcnet_050 levit_128s
mambaout_femto maxxvit_rmlp_nano_rw_256 mixer_s32_224 mobilenetv4_conv_small mobilenetv4_hybrid_medium mobileone_s0 mobilevit_xxs
mobilevitv2_050 mvitv2_tiny nf_resnet26 pit_ti_224 poolformer_s12 pvt_v2_b0 rdnet_tiny repghostnet_050 repvgg_a0 repvit_m0_9
res2net50_14w_8s resmlp_12_224 resnest14d rexnet_100 selecsls42 sequencer2d_s shvit_s1 skresnet18 starnet_s1 swiftformer_xs
tf_efficientnet_b0 tf_efficientnet_lite0 tf_mobilenetv3_small_075 tiny_vit_5m_224 tinynet_e tnt_s_patch16_224 visformer_tiny
vit_small_patch16_rope_224 vit_tiny_patch16_224 volo_d1_224 vovnet39a xcit_nano_12_p16_224"""

ENCODERS = """albert bert big_bird:attention_type='original_full' convbert deberta-v2:pos_att_type=['c2p','p2c'],relative_attention=True
distilbert:dim=64,n_layers=2,n_heads=4,hidden_dim=96 electra ernie esm:pad_token_id=1,mask_token_id=2 layoutlm megatron-bert
mobilebert:embedding_size=32,intra_bottleneck_size=32,true_hidden_size=32 modernbert:global_attn_every_n_layers=2,local_attention=8
mpnet nystromformer rembert roberta roformer squeezebert:embedding_size=64 xlm-roberta"""

DECODERS = """biogpt bloom:n_layer=2,n_head=4 codegen:n_embd=64,n_layer=2,n_head=4,rotary_dim=8 cohere ctrl:n_embd=64,n_layer=2,n_head=4,dff=96
falcon gemma2:head_dim=16 gemma3_text:head_dim=16 glm4:head_dim=16 gpt2:n_embd=64,n_layer=2,n_head=4
gpt_neo:num_layers=2,num_heads=4,attention_types=[[['global','local'],1]] gpt_neox gptj:n_embd=64,n_layer=2,n_head=4,rotary_dim=8 granite
llama:num_key_value_heads=2 mistral:num_key_value_heads=2 mpt:d_model=64,n_layers=2,n_heads=4 olmo2
opt:ffn_dim=96,word_embed_proj_dim=64 phi phi3 qwen2:num_key_value_heads=2 qwen3:num_key_value_heads=2,head_dim=16 smollm3
starcoder2:num_key_value_heads=2"""

PAIRS = """bart m2m_100 marian mt5 pegasus t5"""

SPEECH = """data2vec-audio:num_conv_pos_embeddings=3 hubert unispeech unispeech-sat wav2vec2 wavlm"""

PICTURES = """beit clip_vision_model deit dinov2 dinov3_vit ijepa siglip_vision_model vit vit_msn yolos:num_detection_tokens=6"""


# --- what a network is given: the same on each run ---


def numbers(*shape):
    random = numpy.random.RandomState(sum(shape))
    return torch.from_numpy((random.randint(-128, 128, shape) / 64).astype(numpy.float32))


def tokens(*shape, most=100):
    return torch.from_numpy(numpy.random.RandomState(sum(shape)).randint(3, most, shape).astype(numpy.int64))


def text(rows, length):
    """Tokens, and a mask under which the last of several rows is shorter."""
    mask = torch.ones(rows, length, dtype=torch.int64)
    if rows > 1:
        mask[-1, length // 2 :] = 0
    return tokens(rows, length), mask


# --- how a network is written down ---


class Function(nn.Module):
    """A function, of tensors and maybe of a layer."""

    def __init__(self, function, layer=None):
        super().__init__()
        self.function, self.layer = function, layer

    def forward(self, *inputs):
        return self.function(*inputs) if self.layer is None else self.function(self.layer, *inputs)


class Answers(nn.Module):
    """A network of transformers, torchvision or timm whose answer is its first tensor."""

    def __init__(self, network, call):
        super().__init__()
        self.network, self.call = network, call

    def forward(self, first, second=None, third=None, fourth=None):
        return self.taken(self.call(self.network, *(x for x in (first, second, third, fourth) if x is not None)))

    def taken(self, answer):
        while not torch.is_tensor(answer):
            answer = next(iter(answer.values())) if hasattr(answer, "values") else answer[0]
        return answer


def random_statistics(network):
    """Batch normalisations that do something, as those of trained networks."""
    for module in network.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm) and module.running_var is not None:
            module.running_mean.uniform_(-0.2, 0.2)
            module.running_var.uniform_(0.5, 1.5)
    return network


def takes_any_number(network):
    """Whether its inputs are one tuple to an exporter."""
    return any(put.kind is put.VAR_POSITIONAL for put in inspect.signature(network.forward).parameters.values())


def write(folder, network, inputs, others=(), open_axes=None, older=False):
    """The network's file, and a data set for `inputs` and for each of `others`; `open_axes` names the open axes of each input."""
    folder.mkdir(parents=True, exist_ok=True)
    file = str(folder / "model.onnx")
    names = [f"input_{i}" for i in range(len(inputs))]
    network.eval()
    with torch.no_grad():
        if older:
            axes = dict(zip(names, open_axes)) if open_axes else None
            torch.onnx.export(network, inputs, file, dynamo=False, input_names=names, dynamic_axes=axes)
        else:
            sizes = [{axis: torch.export.Dim.DYNAMIC for axis in axes} for axes in open_axes] if open_axes else None
            shapes = tuple(sizes) if sizes else None
            if shapes and takes_any_number(network):
                shapes = (shapes,)
            program = torch.onnx.export(network, inputs, dynamo=True, input_names=names, dynamic_shapes=shapes, verbose=False)
            program.save(file, external_data=False)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    for number, feed in enumerate((inputs, *others)):
        data = folder / f"test_data_set_{number}"
        data.mkdir(exist_ok=True)
        values = {put.name: value.numpy() for put, value in zip(session.get_inputs(), feed)}
        for i, (name, value) in enumerate(values.items()):
            (data / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value, name).SerializeToString())
        results = zip(session.get_outputs(), session.run(None, values))
        for i, (output, value) in enumerate(results):
            (data / f"output_{i}.pb").write_bytes(numpy_helper.from_array(value, output.name).SerializeToString())


# --- each kind of network ---

BATCH = {0: "batch"}
SEQUENCE = {0: "batch", 1: "sequence"}


def picture(folder, network, size, older=False, call=lambda network, x: network(x)):
    write(folder, Answers(network, call), (numbers(2, 3, size, size),), [(numbers(1, 3, size, size),)], [BATCH], older)


def torchvision(folder, name, older=False):
    models = importlib.import_module("torchvision.models")
    make = functools.reduce(getattr, name.split("."), models)
    options = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
    options |= {"weights_backbone": None} if name.startswith("segmentation") else {}
    network = make(weights=None, **options)
    if name.startswith("video"):
        write(folder, network, (numbers(1, 3, 4, 56, 56),))
    else:
        picture(folder, network, {"maxvit_t": 224, "inception_v3": 128}.get(name, 96), older)


def timm(folder, name):
    network = importlib.import_module("timm").create_model(name, pretrained=False, num_classes=10)
    picture(folder, network, network.default_cfg["input_size"][-1])


def configured(name, kind, **settings):
    """A small network of transformers: `name`, or `name:key=value,…` with settings of its own."""
    transformers = importlib.import_module("transformers")
    name, _, own = name.partition(":")
    settings |= eval(f"dict({own})")  # a table of this file
    configuration = transformers.AutoConfig.for_model(name, **settings)
    for token in ("pad_token_id", "bos_token_id", "eos_token_id"):
        if isinstance(getattr(configuration, token, None), int) and getattr(configuration, token) >= 120:
            setattr(configuration, token, 0)
    return getattr(transformers, kind).from_config(configuration)


LANGUAGE = {
    "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96,
    "vocab_size": 120, "max_position_embeddings": 64,
}  # fmt: skip


def language(folder, name, kind, older=False):
    network = Answers(configured(name, kind, **LANGUAGE), lambda m, ids, mask: m(input_ids=ids, attention_mask=mask, use_cache=False))
    if kind == "AutoModel":
        network.call = lambda m, ids, mask: m(input_ids=ids, attention_mask=mask)
    write(folder, network, text(2, 9), [text(1, 9), text(3, 14)], [SEQUENCE, SEQUENCE], older)


def pair(folder, name):
    settings = {"d_model": 64, "vocab_size": 120, "max_position_embeddings": 64, "decoder_start_token_id": 0, "pad_token_id": 0}
    if name.endswith("t5"):
        settings |= {"d_kv": 16, "d_ff": 96, "num_layers": 2, "num_heads": 4}
    else:
        for side in ("encoder", "decoder"):
            settings |= {f"{side}_layers": 2, f"{side}_attention_heads": 4, f"{side}_ffn_dim": 96}
    network = configured(name, "AutoModelForSeq2SeqLM", **settings)
    call = lambda m, source, target: m(input_ids=source, decoder_input_ids=target, use_cache=False)
    feeds = [(tokens(rows, source), tokens(rows, target)) for rows, source, target in ((2, 9, 5), (1, 9, 6), (3, 12, 7))]
    write(folder, Answers(network, call), feeds[0], feeds[1:], [SEQUENCE, {0: "batch", 1: "target"}])


def speech(folder, name):
    settings = {
        "hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 32,
        "conv_dim": [16] * 3, "conv_stride": [5, 4, 2], "conv_kernel": [10, 8, 4], "num_feat_extract_layers": 3,
        "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4,
    }  # fmt: skip
    network = Answers(configured(name, "AutoModelForCTC", **settings), lambda m, x: m(input_values=x))
    write(folder, network, (numbers(2, 2400),), [(numbers(1, 3200),)], [{0: "batch", 1: "samples"}])


def seen(folder, name):
    settings = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "patch_size": 16}
    settings["image_size"] = [64, 64] if name.startswith("yolos") else 64
    network = configured(name, "AutoModel", **settings)
    picture(folder, network, 64, call=lambda m, x: m(pixel_values=x))


# --- networks of our own, as tutorials write them ---


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.table, self.layers = nn.Embedding(40, 12), kind(12, 16, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        y, _ = self.layers(self.table(x))
        return self.head(y.mean(1)), y


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([self.block(3, 8), self.block(8, 16), self.block(16, 32)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)])
        self.join = nn.ModuleList([self.block(32, 16), self.block(16, 8)])
        self.head = nn.Conv2d(8, 1, 1)

    @staticmethod
    def block(before, after):
        return nn.Sequential(nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.SiLU(), nn.GroupNorm(4, after))

    def forward(self, x):
        a = self.down[0](x)
        b = self.down[1](F.max_pool2d(a, 2))
        y = self.join[0](torch.cat([self.up[0](self.down[2](F.max_pool2d(b, 2))), b], 1))
        return torch.sigmoid(self.head(self.join[1](torch.cat([self.up[1](y), a], 1))))


class Decoder(nn.Module):
    """A layer that takes along the keys and values of what came before."""

    def __init__(self):
        super().__init__()
        self.table, self.places, self.norm = nn.Embedding(60, 32), nn.Embedding(64, 32), nn.LayerNorm(32)
        self.project, self.head = nn.Linear(32, 96), nn.Linear(32, 60)

    def forward(self, ids, keys, values):
        rows, length = ids.shape
        place = torch.arange(length) + keys.shape[2]
        x = self.table(ids) + self.places(place)
        q, k, v = self.project(self.norm(x)).view(rows, length, 3, 4, 8).permute(2, 0, 3, 1, 4).unbind(0)
        k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        mask = torch.arange(k.shape[2])[None, :] <= place[:, None]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[None, None])
        return self.head(x + y.transpose(1, 2).reshape(rows, length, 32)), k, v


def recurrent(folder, kind):
    write(folder, Recurrent(getattr(nn, kind)), (tokens(2, 7, most=40),), [(tokens(3, 11, most=40),)], [SEQUENCE], older=True)


def unet(folder, older=False):
    axes = {0: "batch", 2: "height", 3: "width"}
    write(folder, UNet(), (numbers(2, 3, 32, 24),), [(numbers(1, 3, 48, 40),)], [axes], older)


def decoder(folder, older=False):
    past = lambda rows, length: numbers(rows, 4, length, 8)
    feeds = [(tokens(r, n, most=60), past(r, p), past(r, p)) for r, n, p in ((2, 3, 5), (1, 2, 9), (2, 4, 2))]
    axes = {0: "batch", 2: "past"}
    write(folder, Decoder(), feeds[0], feeds[1:], [SEQUENCE, axes, axes], older)


def networks():
    """A function that writes a network, by the network's name."""
    found = {f"torchvision-{n}": functools.partial(torchvision, name=n) for n in TORCHVISION.split()}
    for name in ("densenet121", "mobilenet_v3_small", "swin_v2_t", "googlenet", "convnext_tiny", "regnet_y_400mf"):
        found[f"script-{name}"] = functools.partial(torchvision, name=name, older=True)
    found |= {f"timm-{n}": functools.partial(timm, name=n) for n in TIMM.split()}
    for names, make in (
        (ENCODERS, functools.partial(language, kind="AutoModel")),
        (DECODERS, functools.partial(language, kind="AutoModelForCausalLM")),
        (PAIRS, pair),
        (SPEECH, speech),
        (PICTURES, seen),
    ):
        found |= {f"transformers-{n.partition(':')[0]}": functools.partial(make, name=n) for n in names.split()}
    for names, kind in ((ENCODERS, "AutoModel"), (DECODERS, "AutoModelForCausalLM")):
        for name in names.split():
            found[f"script-{name.partition(':')[0]}"] = functools.partial(language, name=name, kind=kind, older=True)
    found |= {f"script-{kind.lower()}": functools.partial(recurrent, kind=kind) for kind in ("LSTM", "GRU", "RNN")}
    for name, make in (("unet", unet), ("decoder", decoder)):
        found |= {f"own-{name}": make, f"script-{name}": functools.partial(make, older=True)}
    return found


def export(job):
    """Writes one of `found` in a process of its own, and says what became of it."""
    name, folder, found = job
    torch.manual_seed(1)
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    logging.disable(logging.ERROR)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found()[name](folder / name)
        return f"{name}: exported"
    except Exception as e:  # an exporter's limits are not ours
        shutil.rmtree(folder / name, ignore_errors=True)
        while e.__cause__:
            e = e.__cause__
        return f"{name}: not exported: {type(e).__name__}: {str(e).splitlines()[0][:120] if str(e) else ''}"


def main(found, usage):
    """Writes what the command line names of all that `found` finds."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(usage)
    folder, wanted = pathlib.Path(sys.argv[1]), sys.argv[2:]
    names = [name for name in found() if not wanted or any(part in name for part in wanted)]
    with multiprocessing.get_context("fork").Pool(max(1, (os.cpu_count() or 2) - 1)) as pool:
        for line in pool.imap_unordered(export, [(name, folder, found) for name in names]):
            print(line, flush=True)
    print(f"{len(list(folder.glob('*/model.onnx')))} of {len(names)} are in {folder}")


if __name__ == "__main__":
    main(networks, __doc__)
