"""Exports networks that do a whole task, as those who bring them write them, with what ONNX Runtime answers:

    python3 bench/pytorch/tasks.py DIR [PART-OF-A-NAME ...]
    ./mie verify DIR

Of transformers and torchvision: detectors, segmenters, readers of text in pictures, speech in and out, forecasts, text and pictures
in one. Weights are random. Needs what `networks.py` needs.
"""

import functools
import importlib

import torch
from networks import BATCH, SEQUENCE, Answers, main, numbers, random_statistics, text, tokens, write
from torch.nn import functional as F

SMALL = {
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 96,
    "vocab_size": 120,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
EXPERTS = {"experts_implementation": "batched_mm"}  # the form that can be exported
SEEN = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "patch_size": 16, "image_size": 64}
PAIRED = {
    "d_model": 48,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "vocab_size": 120,
}
DETECTED = {
    "d_model": 64,
    "num_queries": 20,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "num_labels": 7,
}


def of(name):
    return getattr(importlib.import_module("transformers"), name)


def residual():
    """A small ResNet of transformers that gives its stages."""
    return of("ResNetConfig")(
        embedding_size=16, hidden_sizes=[16, 24, 32, 48], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage2", "stage3", "stage4"]
    )


def put(folder, network, call, *feeds, axes=None):
    """`feeds` are tuples of inputs; `axes` are open axes of each input."""
    network = random_statistics(network.eval())
    write(folder, Answers(network, call), feeds[0], feeds[1:], axes)


# --- pictures ---


class Several(Answers):
    """A network whose answer is several tensors, by name."""

    def __init__(self, network, names, call):
        super().__init__(network, call)
        self.names = names

    def taken(self, answer):
        return tuple(answer[name] for name in self.names)


def detector(folder, kind, size=64, names=("logits", "pred_boxes"), rows=2, **settings):
    configuration = of(kind + "Config")(**settings)
    network = random_statistics(of(kind + "ForObjectDetection")(configuration).eval())
    network = Several(network, names, lambda m, x: m(pixel_values=x))
    axes = [BATCH] if rows > 1 else None
    write(folder, network, (numbers(rows, 3, size, size),), [(numbers(1, 3, size, size),)] if axes else [], axes)


def real_time():
    stages = of("RTDetrResNetConfig")(
        embedding_size=16, hidden_sizes=[16, 24, 32, 48], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage2", "stage3", "stage4"]
    )
    return {
        "backbone_config": stages,
        "encoder_in_channels": [24, 32, 48],
        "encoder_hidden_dim": 64,
        "decoder_in_channels": [64] * 3,
        "num_denoising": 0,
        "anchor_image_size": None,
        **DETECTED,
    }


def picture(folder, kind, configuration, size=64, call=lambda m, x: m(pixel_values=x), rows=2):
    settings = {"num_labels": 7} if kind.endswith(("Segmentation", "Classification")) else {}
    for key, value in settings.items():
        setattr(configuration, key, value)
    height, width = size if isinstance(size, tuple) else (size, size)
    put(folder, of(kind)(configuration), call, (numbers(rows, 3, height, width),), (numbers(1, 3, height, width),), axes=[BATCH])


def configured(kind, **settings):
    return of(kind + "Config")(**settings)


def matched(folder):
    """CLIP: a network of text and pictures."""
    parts = {"text_config": {**SMALL, "max_position_embeddings": 32}, "vision_config": SEEN, "projection_dim": 32}
    network = of("CLIPModel")(configured("CLIP", **parts))
    names = ("logits_per_image", "text_embeds", "image_embeds")
    call = lambda m, ids, pixels, mask: m(input_ids=ids, pixel_values=pixels, attention_mask=mask)
    ids, mask = text(2, 9)
    write(folder, Several(network.eval(), names, call), (ids, numbers(2, 3, 64, 64), mask), (), None)


def prompted(folder):
    """Segments what points show: a picture's encoder and a decoder of masks in one."""
    part = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    configuration = configured(
        "Sam",
        vision_config={
            **part,
            "image_size": 64,
            "patch_size": 8,
            "output_channels": 32,
            "window_size": 4,
            "global_attn_indexes": [1],
            "num_pos_feats": 16,
            "mlp_dim": 64,
            "initializer_range": 0.02,
        },
        prompt_encoder_config={"hidden_size": 32, "image_size": 64, "patch_size": 8, "mask_input_channels": 8},
        mask_decoder_config={**part, "mlp_dim": 64, "iou_head_hidden_dim": 32},
    )
    network = Several(of("SamModel")(configuration).eval(), ("iou_scores", "pred_masks"), lambda m, x, points: m(pixel_values=x, input_points=points))
    write(folder, network, (numbers(1, 3, 64, 64), numbers(1, 1, 2, 2).abs() * 30))


def video(folder, kind, **settings):
    configuration = configured(kind, **{**SEEN, "num_frames": 4, "image_size": 32, **settings})
    network = of(
        {"VideoMAE": "VideoMAEForVideoClassification", "Timesformer": "TimesformerForVideoClassification", "Vivit": "VivitForVideoClassification"}[
            kind
        ]
    )
    put(folder, network(configuration), lambda m, x: m(pixel_values=x), (numbers(2, 4, 3, 32, 32),), (numbers(1, 4, 3, 32, 32),), axes=[BATCH])


# --- speech and sound ---


def whisper():
    return configured(
        "Whisper",
        **PAIRED,
        max_source_positions=50,
        max_target_positions=32,
        num_mel_bins=16,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )


def listened(folder):
    put(folder, of("WhisperModel")(whisper()).encoder, lambda m, x: m(x), (numbers(2, 16, 100),), (numbers(1, 16, 100),), axes=[BATCH])


def written(folder):
    network = of("WhisperForConditionalGeneration")(whisper())
    call = lambda m, x, ids: m(input_features=x, decoder_input_ids=ids, use_cache=False)
    axes = [BATCH, {0: "batch", 1: "target"}]
    put(folder, network, call, (numbers(2, 16, 100), tokens(2, 5)), (numbers(1, 16, 100), tokens(1, 7)), axes=axes)


def sound(folder, kind, network, call, shape, other=None, axes=None):
    put(folder, of(kind)(network), call, (numbers(*shape),), *([(numbers(*other),)] if other else []), axes=axes)


def coded(folder, way):
    """A codec of sound: to codes, or back."""
    settings = {"encoder_hidden_size": 8, "decoder_hidden_size": 32, "downsampling_ratios": [2, 4], "upsampling_ratios": [4, 2]}
    configuration = configured("Dac", n_codebooks=3, codebook_size=32, hidden_size=32, **settings)
    network = of("DacModel")(configuration).eval()
    if way == "encode":
        put(folder, network, lambda m, x: m.encode(x).audio_codes, (numbers(1, 1, 640),))
    else:
        with torch.no_grad():
            codes = network.encode(numbers(1, 1, 640)).audio_codes
        put(folder, network, lambda m, x: m.decode(audio_codes=x).audio_values, (codes,))


def spoken(folder):
    """Mel spectrogram to wave form, as behind many voices."""
    network = of("SpeechT5HifiGan")(
        configured(
            "SpeechT5HifiGan",
            model_in_dim=16,
            upsample_initial_channel=32,
            upsample_rates=[4, 2],
            upsample_kernel_sizes=[8, 4],
            resblock_kernel_sizes=[3, 5],
            resblock_dilation_sizes=[[1, 3], [1, 3]],
        )
    )
    put(folder, network, lambda m, x: m(x), (numbers(2, 20, 16),), (numbers(1, 31, 16),), axes=[{0: "batch", 1: "frames"}])


# --- text ---


def language(folder, kind, configuration, call=lambda m, ids, mask: m(input_ids=ids, attention_mask=mask), masked=True, open=True):
    feeds = [text(rows, length) for rows, length in ((2, 8), (1, 8), (3, 12))] if open else [text(2, 8), text(1, 8)]
    axes = [SEQUENCE, SEQUENCE] if open else [BATCH, BATCH]
    if not masked:
        feeds, axes = [feed[:1] for feed in feeds], axes[:1]
        call = lambda m, ids: m(input_ids=ids)
    put(folder, of(kind)(configuration), call, *feeds, axes=axes)


def read(folder):
    """Text, where it stands on a page, and the page."""
    configuration = configured(
        "LayoutLMv3",
        **{
            **SMALL,
            "input_size": 32,
            "patch_size": 16,
            "coordinate_size": 8,
            "shape_size": 8,
            "max_2d_position_embeddings": 128,
            "rel_pos_bins": 8,
            "rel_2d_pos_bins": 8,
            "num_labels": 5,
        },
    )
    configuration.hidden_size = 48
    network = of("LayoutLMv3ForTokenClassification")(configuration).eval()
    boxes = (numbers(1, 8, 4).abs() * 20).long().clamp(0, 60)
    boxes[..., 2:] += boxes[..., :2]
    ids, mask = text(1, 8)
    call = lambda m, ids, mask, boxes, pixels: m(input_ids=ids, attention_mask=mask, bbox=boxes, pixel_values=pixels)
    write(folder, Answers(network, call), (ids, mask, boxes, numbers(1, 3, 32, 32)))


def seen():
    p, c = functools.partial, configured
    swin = {"image_size": 64, "embed_dim": 24, "depths": [1, 1, 1, 1], "num_heads": [1, 2, 2, 4], "window_size": 2}
    stages = ["stage1", "stage2", "stage3", "stage4"]
    lazily = lambda kind, make, **more: lambda folder: picture(folder, kind, make(), **more)
    return {
        "detr": lambda f: detector(f, "Detr", backbone_config=residual(), use_timm_backbone=False, **DETECTED),
        "conditional-detr": lambda f: detector(f, "ConditionalDetr", backbone_config=residual(), use_timm_backbone=False, **DETECTED),
        "deformable-detr": lambda f: detector(
            f, "DeformableDetr", backbone_config=residual(), use_timm_backbone=False, disable_custom_kernels=True, **DETECTED
        ),
        "dab-detr": lambda f: detector(
            f,
            "DabDetr",
            backbone_config=residual(),
            use_timm_backbone=False,
            hidden_size=64,
            num_queries=20,
            encoder_layers=1,
            decoder_layers=2,
            encoder_ffn_dim=96,
            decoder_ffn_dim=96,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
        ),
        "table-transformer": lambda f: detector(f, "TableTransformer", backbone_config=residual(), use_timm_backbone=False, **DETECTED),
        "rt-detr": lambda folder: detector(folder, "RTDetr", **real_time()),
        "yolos": p(detector, kind="Yolos", **{**SEEN, "image_size": [64, 64]}, num_detection_tokens=6),
        "segformer": lazily(
            "SegformerForSemanticSegmentation",
            lambda: c("Segformer", hidden_sizes=[16, 24, 40, 48], decoder_hidden_size=32, depths=[1] * 4, num_attention_heads=[1, 2, 4, 4]),
        ),
        "upernet": lazily(
            "UperNetForSemanticSegmentation",
            lambda: c("UperNet", backbone_config=c("Swin", out_features=stages, **swin), hidden_size=32, use_auxiliary_head=False),
        ),
        "dpt": lazily(
            "DPTForDepthEstimation",
            lambda: c(
                "DPT",
                **{**SEEN, "num_hidden_layers": 4},
                backbone_out_indices=[0, 1, 2, 3],
                neck_hidden_sizes=[16, 16, 24, 32],
                fusion_hidden_size=16,
                is_hybrid=False,
            ),
        ),
        "depth-anything": lazily(
            "DepthAnythingForDepthEstimation",
            lambda: c(
                "DepthAnything",
                backbone_config=c(
                    "Dinov2",
                    hidden_size=48,
                    num_hidden_layers=4,
                    num_attention_heads=4,
                    image_size=56,
                    patch_size=14,
                    out_features=stages,
                    reshape_hidden_states=False,
                ),
                reassemble_hidden_size=48,
                neck_hidden_sizes=[16, 16, 24, 32],
                fusion_hidden_size=16,
                head_hidden_size=8,
            ),
            size=56,
        ),
        "glpn": lazily(
            "GLPNForDepthEstimation",
            lambda: c("GLPN", hidden_sizes=[16, 24, 40, 48], decoder_hidden_size=16, depths=[1] * 4, num_attention_heads=[1, 2, 4, 4]),
        ),
        "mobilevit-segmentation": lazily(
            "MobileViTForSemanticSegmentation",
            lambda: c("MobileViT", image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 24, 32, 32, 48], aspp_out_channels=16),
        ),
        "mobilenet-segmentation": lazily(
            "MobileNetV2ForSemanticSegmentation", lambda: c("MobileNetV2", depth_multiplier=0.35, output_stride=16), size=96
        ),
        "beit-segmentation": lazily(
            "BeitForSemanticSegmentation",
            lambda: c(
                "Beit",
                **{**SEEN, "num_hidden_layers": 4},
                out_indices=[1, 2, 3, 4],
                use_auxiliary_head=False,
                pool_scales=[1, 2],
                use_relative_position_bias=True,
            ),
        ),
        "mask2former": lambda folder: put(
            folder,
            Several(
                of("Mask2FormerForUniversalSegmentation")(
                    c(
                        "Mask2Former",
                        backbone_config=c("Swin", out_features=stages, **swin),
                        feature_size=32,
                        mask_feature_size=32,
                        hidden_dim=32,
                        encoder_feedforward_dim=48,
                        encoder_layers=1,
                        decoder_layers=2,
                        num_attention_heads=4,
                        dim_feedforward=48,
                        num_queries=10,
                    )
                ).eval(),
                ("class_queries_logits", "masks_queries_logits"),
                lambda m, x: m(pixel_values=x),
            ).eval(),
            lambda m, x: m(x),
            (numbers(1, 3, 64, 64),),
        ),
        "swin2sr": lazily(
            "Swin2SRForImageSuperResolution",
            lambda: c("Swin2SR", image_size=32, embed_dim=24, depths=[2, 2], num_heads=[2, 2], window_size=4),
            size=32,
        ),
        "superpoint": lambda folder: put(
            folder,
            of("SuperPointForKeypointDetection")(
                c("SuperPoint", encoder_hidden_sizes=[16, 16, 24, 24], decoder_hidden_size=32, descriptor_decoder_dim=32, initializer_range=0.15)
            ),
            lambda m, x: m(pixel_values=x)[1],
            (numbers(1, 3, 64, 64),),
        ),
        "vitmatte": lambda folder: put(
            folder,
            of("VitMatteForImageMatting")(
                c(
                    "VitMatte",
                    backbone_config=c(
                        "VitDet",
                        **{k: v for k, v in SEEN.items() if k != "intermediate_size"},
                        window_block_indices=[0],
                        residual_block_indices=[1],
                        out_features=["stage2"],
                        num_channels=4,
                        use_relative_position_embeddings=True,
                        window_size=2,
                    ),
                    hidden_size=48,
                    convstream_hidden_sizes=[8, 8, 16],
                    fusion_hidden_sizes=[16, 16, 8, 8],
                )
            ),
            lambda m, x: m(pixel_values=x),
            (numbers(1, 4, 64, 64),),
        ),
        "sam": prompted,
        "clip": matched,
        "siglip": both_without,
        "hiera": lazily(
            "HieraForImageClassification",
            lambda: c(
                "Hiera", embed_dim=16, image_size=[64, 64], depths=[1, 1, 2, 1], num_heads=[1, 1, 2, 2], masked_unit_size=[8, 8], num_query_pool=2
            ),
        ),
        "levit": lazily(
            "LevitForImageClassification",
            lambda: c("Levit", image_size=64, hidden_sizes=[16, 24, 32], num_attention_heads=[1, 2, 2], depths=[1, 1, 1], key_dim=[8, 8, 8]),
        ),
        "swin": lazily("SwinForImageClassification", lambda: c("Swin", **swin)),
        "swinv2": lazily("Swinv2ForImageClassification", lambda: c("Swinv2", **swin)),
        "donut-swin": lazily("DonutSwinModel", lambda: c("DonutSwin", **swin)),
        "pvt": lazily(
            "PvtForImageClassification",
            lambda: c("Pvt", image_size=64, hidden_sizes=[16, 24, 32, 40], depths=[1] * 4, num_attention_heads=[1, 2, 4, 4]),
        ),
        "focalnet": lazily(
            "FocalNetForImageClassification", lambda: c("FocalNet", image_size=64, embed_dim=16, depths=[1, 1, 2, 1], hidden_sizes=[16, 32, 64, 128])
        ),
        "poolformer": lazily("PoolFormerForImageClassification", lambda: c("PoolFormer", hidden_sizes=[16, 24, 32, 48], depths=[1] * 4)),
        "swiftformer": lazily(
            "SwiftFormerForImageClassification", lambda: c("SwiftFormer", image_size=64, depths=[1] * 4, embed_dims=[16, 24, 32, 48])
        ),
        "bit": lazily("BitForImageClassification", lambda: c("Bit", embedding_size=16, hidden_sizes=[32, 32, 64, 64], depths=[1] * 4, num_groups=4)),
        "mobilenet-v1": lazily("MobileNetV1ForImageClassification", lambda: c("MobileNetV1", depth_multiplier=0.25)),
        "textnet": lazily("TextNetForImageClassification", lambda: c("TextNet")),
        "imagegpt": lambda folder: language(
            folder, "ImageGPTModel", c("ImageGPT", n_embd=32, n_layer=2, n_head=4, vocab_size=120, n_positions=64), masked=False, open=False
        ),
        "mgp-str": lazily(
            "MgpstrForSceneTextRecognition",
            lambda: c("Mgpstr", hidden_size=48, num_hidden_layers=2, num_attention_heads=4, num_bpe_labels=30, num_wordpiece_labels=20),
            size=(32, 128),
            call=lambda m, x: m(pixel_values=x).logits,
        ),
        "pp-lcnet": lazily("PPLCNetForImageClassification", lambda: c("PPLCNet", scale=0.25)),
        "pp-ocr-det": lazily("PPOCRV5MobileDetForObjectDetection", lambda: c("PPOCRV5MobileDet"), size=96),
        "timesformer": p(video, kind="Timesformer"),
        "videomae": p(video, kind="VideoMAE"),
        "vivit": p(video, kind="Vivit", tubelet_size=[2, 16, 16]),
        "vit-mae": lazily("ViTModel", lambda: c("ViT", **SEEN)),
    }


def both_without(folder):
    """SigLIP, which has no mask."""
    text_part = {**SMALL, "max_position_embeddings": 9, "projection_size": 48}
    network = of("SiglipModel")(configured("Siglip", text_config=text_part, vision_config=SEEN)).eval()
    call = lambda m, ids, pixels: m(input_ids=ids, pixel_values=pixels)
    write(folder, Several(network, ("logits_per_image", "text_embeds"), call), (tokens(2, 9), numbers(2, 3, 64, 64)))


def heard():
    p, c = functools.partial, configured
    wave = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 32}
    convs = {
        "conv_dim": [16] * 3,
        "conv_stride": [5, 4, 2],
        "conv_kernel": [10, 8, 4],
        "num_feat_extract_layers": 3,
        "num_conv_pos_embeddings": 16,
        "num_conv_pos_embedding_groups": 4,
    }
    raw = dict(call=lambda m, x: m(input_values=x), shape=(2, 2400), other=(1, 3200), axes=[{0: "batch", 1: "samples"}])
    features = lambda *shape: dict(call=lambda m, x: m(input_features=x), shape=(2, *shape), other=(1, *shape), axes=[BATCH])
    return {
        "whisper-encoder": listened,
        "whisper": written,
        "sew-d": lambda f: sound(
            f, "SEWDForCTC", c("SEWD", squeeze_factor=2, position_buckets=8, max_position_embeddings=64, **wave, **convs), **raw
        ),
        "wav2vec2-conformer": lambda f: sound(f, "Wav2Vec2ConformerForCTC", c("Wav2Vec2Conformer", **wave, **convs), **raw),
        "wav2vec2-bert": lambda f: sound(
            f, "Wav2Vec2BertForCTC", c("Wav2Vec2Bert", feature_projection_input_dim=16, conv_depthwise_kernel_size=7, **wave), **features(30, 16)
        ),
        "parakeet": lambda f: sound(
            f,
            "ParakeetForCTC",
            c(
                "ParakeetCTC",
                vocab_size=32,
                pad_token_id=31,
                encoder_config={
                    "hidden_size": 48,
                    "num_hidden_layers": 2,
                    "num_attention_heads": 4,
                    "intermediate_size": 96,
                    "subsampling_conv_channels": 8,
                    "num_mel_bins": 16,
                },
            ),
            **features(64, 16),
        ),
        "speech-to-text": lambda f: put(
            f,
            of("Speech2TextForConditionalGeneration")(c("Speech2Text", **PAIRED, conv_channels=32, input_feat_per_channel=16)),
            lambda m, x, ids: m(input_features=x, decoder_input_ids=ids, use_cache=False),
            (numbers(2, 40, 16), tokens(2, 5)),
            (numbers(1, 40, 16), tokens(1, 5)),
            axes=[BATCH, BATCH],
        ),
        "moonshine": lambda f: put(
            f,
            of("MoonshineModel")(
                c(
                    "Moonshine",
                    hidden_size=48,
                    intermediate_size=96,
                    encoder_num_hidden_layers=2,
                    decoder_num_hidden_layers=2,
                    encoder_num_attention_heads=4,
                    decoder_num_attention_heads=4,
                    vocab_size=120,
                )
            ).encoder,
            lambda m, x: m(x),
            (numbers(2, 4000),),
            (numbers(1, 4000),),
            axes=[BATCH],
        ),
        "spectrogram-transformer": lambda f: sound(
            f,
            "ASTForAudioClassification",
            c("AST", hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, max_length=64, num_mel_bins=32),
            call=lambda m, x: m(input_values=x),
            shape=(2, 64, 32),
            other=(1, 64, 32),
            axes=[BATCH],
        ),
        "clap-audio": lambda f: sound(
            f,
            "ClapAudioModelWithProjection",
            c(
                "ClapAudio",
                spec_size=64,
                num_mel_bins=16,
                patch_embeds_hidden_size=16,
                depths=[1, 1],
                num_attention_heads=[2, 2],
                hidden_size=32,
                projection_dim=16,
                window_size=4,
            ),
            call=lambda m, x: m(input_features=x),
            shape=(1, 1, 256, 16),
        ),
        "hifigan": spoken,
        "dac-encode": p(coded, way="encode"),
        "dac-decode": p(coded, way="decode"),
        "patchtst": lambda f: put(
            f,
            of("PatchTSTForPrediction")(
                c(
                    "PatchTST",
                    num_input_channels=3,
                    context_length=32,
                    patch_length=8,
                    patch_stride=8,
                    d_model=16,
                    num_hidden_layers=2,
                    num_attention_heads=2,
                    ffn_dim=32,
                    prediction_length=8,
                    loss="mse",
                )
            ),
            lambda m, x: m(past_values=x),
            (numbers(2, 32, 3),),
            (numbers(1, 32, 3),),
            axes=[BATCH],
        ),
        "patchtsmixer": lambda f: put(
            f,
            of("PatchTSMixerForPrediction")(
                c("PatchTSMixer", num_input_channels=3, context_length=32, patch_length=8, patch_stride=8, prediction_length=8)
            ),
            lambda m, x: m(past_values=x),
            (numbers(2, 32, 3),),
            (numbers(1, 32, 3),),
            axes=[BATCH],
        ),
        "decision": lambda f: put(
            f,
            of("DecisionTransformerGPT2Model")(c("DecisionTransformer", hidden_size=32, n_layer=2, n_head=2)),
            lambda m, x: m(inputs_embeds=x),
            (numbers(2, 9, 32),),
            (numbers(1, 9, 32),),
            axes=[BATCH],
        ),
    }


def told():
    c = configured
    one = lambda kind, name, **more: lambda f: language(f, kind, c(name, **SMALL), **more)
    told_with = lambda kind, name, settings, **more: lambda f: language(f, kind, c(name, **settings), **more)
    plain = dict(masked=False)
    return {
        "canine": told_with(
            "CanineModel",
            "Canine",
            {**SMALL, "num_hash_buckets": 64, "downsampling_rate": 4, "upsampling_kernel_size": 4, "local_transformer_stride": 8},
            open=False,
        ),
        "fnet": told_with("FNetModel", "FNet", {k: v for k, v in SMALL.items() if k != "num_attention_heads"}, **plain, open=False),
        "ibert": one("IBertModel", "IBert"),
        "mra": told_with("MraModel", "Mra", {**SMALL, "block_per_row": 1}, open=False),
        "perceiver": told_with(
            "PerceiverForSequenceClassification",
            "Perceiver",
            {
                "num_latents": 8,
                "d_latents": 16,
                "d_model": 32,
                "num_blocks": 1,
                "num_self_attends_per_block": 2,
                "num_self_attention_heads": 2,
                "num_cross_attention_heads": 2,
                "vocab_size": 120,
                "max_position_embeddings": 64,
            },
            call=lambda m, ids, mask: m(inputs=ids, attention_mask=mask),
            open=False,
        ),
        "splinter": one("SplinterModel", "Splinter"),
        "xlnet": told_with("XLNetModel", "XLNet", {"vocab_size": 120, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48}),
        "xlm": told_with(
            "XLMModel", "XLM", {"vocab_size": 120, "emb_dim": 32, "n_layers": 2, "n_heads": 4, "max_position_embeddings": 64, "pad_index": 0}
        ),
        "flaubert": told_with(
            "FlaubertModel",
            "Flaubert",
            {"vocab_size": 120, "emb_dim": 32, "n_layers": 2, "n_heads": 4, "max_position_embeddings": 64, "pad_index": 0},
        ),
        "yoso": told_with("YosoModel", "Yoso", {**SMALL, "use_expectation": True}, open=False),
        "data2vec-text": one("Data2VecTextModel", "Data2VecText"),
        "luke": told_with("LukeModel", "Luke", {**SMALL, "entity_vocab_size": 10, "entity_emb_size": 16}),
        "eurobert": one("EuroBertModel", "EuroBert"),
        "nomic-bert": one("NomicBertModel", "NomicBert"),
        "mamba": told_with(
            "MambaForCausalLM", "Mamba", {"vocab_size": 120, "hidden_size": 32, "state_size": 8, "num_hidden_layers": 2}, **plain, open=False
        ),
        "mamba2": told_with(
            "Mamba2ForCausalLM",
            "Mamba2",
            {
                "vocab_size": 120,
                "hidden_size": 32,
                "state_size": 8,
                "num_hidden_layers": 2,
                "num_heads": 4,
                "head_dim": 16,
                "n_groups": 1,
                "chunk_size": 4,
            },
            **plain,
            open=False,
        ),
        "rwkv": told_with(
            "RwkvForCausalLM", "Rwkv", {"vocab_size": 120, "hidden_size": 32, "num_hidden_layers": 2, "context_length": 32}, **plain, open=False
        ),
        "recurrent-gemma": told_with(
            "RecurrentGemmaForCausalLM",
            "RecurrentGemma",
            {**SMALL, "lru_width": 48, "attention_window_size": 8, "num_key_value_heads": 1, "block_types": ["recurrent", "attention"]},
            open=False,
        ),
        "lfm2": told_with(
            "Lfm2ForCausalLM", "Lfm2", {**SMALL, "num_key_value_heads": 2, "layer_types": ["conv", "full_attention"], "block_ff_dim": 96}
        ),
        "gpt-oss": told_with(
            "GptOssForCausalLM",
            "GptOss",
            {
                **SMALL,
                **EXPERTS,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "num_local_experts": 4,
                "num_experts_per_tok": 2,
                "layer_types": ["sliding_attention", "full_attention"],
            },
        ),
        "olmoe": told_with("OlmoeForCausalLM", "Olmoe", {**SMALL, **EXPERTS, "num_experts": 4, "num_experts_per_tok": 2}),
        "qwen3-moe": told_with(
            "Qwen3MoeForCausalLM",
            "Qwen3Moe",
            {**SMALL, **EXPERTS, "head_dim": 16, "num_key_value_heads": 2, "moe_intermediate_size": 24, "num_experts": 4, "num_experts_per_tok": 2},
        ),
        "deepseek-v3": told_with(
            "DeepseekV3ForCausalLM",
            "DeepseekV3",
            {
                **SMALL,
                **EXPERTS,
                "num_key_value_heads": 4,
                "q_lora_rank": 16,
                "kv_lora_rank": 16,
                "qk_rope_head_dim": 8,
                "qk_nope_head_dim": 8,
                "v_head_dim": 8,
                "n_routed_experts": 8,
                "num_experts_per_tok": 2,
                "moe_intermediate_size": 24,
                "first_k_dense_replace": 1,
                "n_group": 2,
                "topk_group": 1,
                "n_shared_experts": 1,
            },
        ),
        "nemotron": told_with("NemotronForCausalLM", "Nemotron", {**SMALL, "num_key_value_heads": 2}),
        "exaone4": told_with("Exaone4ForCausalLM", "Exaone4", {**SMALL, "num_key_value_heads": 2, "sliding_window": 8}),
        "xglm": told_with(
            "XGLMForCausalLM",
            "XGLM",
            {"vocab_size": 120, "d_model": 32, "num_layers": 2, "attention_heads": 4, "ffn_dim": 48, "max_position_embeddings": 64},
        ),
        "gpt-bigcode": told_with(
            "GPTBigCodeForCausalLM", "GPTBigCode", {"vocab_size": 120, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
        ),
        "openai-gpt": told_with("OpenAIGPTModel", "OpenAIGPT", {"vocab_size": 120, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}),
        "layoutlmv3": read,
        "question": told_with("BertForQuestionAnswering", "Bert", SMALL),
        "tokens": told_with("RobertaForTokenClassification", "Roberta", SMALL),
        "cross-encoder": told_with("BertForSequenceClassification", "Bert", {**SMALL, "num_labels": 1}),
        "sentence": lambda f: put(
            f,
            of("BertModel")(c("Bert", **SMALL)),
            sentence,
            *(text(rows, length) for rows, length in ((2, 8), (1, 8), (3, 12))),
            axes=[SEQUENCE, SEQUENCE],
        ),
    }


def sentence(m, ids, mask):
    """The mean over what the mask shows, of length 1: what sentence-transformers adds."""
    hidden, shown = m(input_ids=ids, attention_mask=mask).last_hidden_state, mask.unsqueeze(-1).float()
    return F.normalize((hidden * shown).sum(1) / shown.sum(1).clamp(min=1e-9), p=2, dim=1)


def flow(folder):
    network = importlib.import_module("torchvision.models.optical_flow").raft_small(weights=None)
    call = lambda m, a, b: m(a, b, num_flow_updates=2)[-1]
    put(folder, network, call, (numbers(1, 3, 128, 128), numbers(1, 3, 128, 128)))


def moving(folder, name):
    network = getattr(importlib.import_module("torchvision.models.video"), name)(weights=None)
    put(folder, network, lambda m, x: m(x), (numbers(1, 3, 16, 64, 64),))


def tasks():
    """A function that writes a network, by the network's name."""
    found = {f"task-{name}": make for group in (seen, heard, told) for name, make in group().items()}
    found |= {"video-swin3d_t": functools.partial(moving, name="swin3d_t"), "flow-raft_small": flow}
    return found


if __name__ == "__main__":
    main(tasks, __doc__)
