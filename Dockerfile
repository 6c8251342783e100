# The bundle on a small Debian, with the OpenCL loader, as a user without rights.
#
#   ./mie bundle --no-archive
#   docker build --tag mini-inference-engine:0.1.0 .
# The driver: NVIDIA's is shown to the container by its container toolkit; others must be in the image:
#   docker build --build-arg DRIVER=pocl-opencl-icd --tag mini-inference-engine:0.1.0-cpu .
#   docker build --build-arg DRIVER=intel-opencl-icd --tag mini-inference-engine:0.1.0-intel .
# Where no image can be built, helm/try-image.sh carries out these steps.
ARG BASE=debian:bookworm-slim
FROM $BASE

ARG DRIVER=""
# empty where the base has them
ARG PACKAGES="ocl-icd-libopencl1 libstdc++6"
# the folder is of the group 0, too, in which OpenShift puts the users that it makes up;
# NVIDIA's toolkit brings its library, but not always the file that makes it known to the loader
RUN if [ -n "$PACKAGES$DRIVER" ]; then \
      apt-get update \
      && apt-get install --yes --no-install-recommends $PACKAGES $DRIVER \
      && rm -rf /var/lib/apt/lists/*; \
    fi \
 && mkdir -p /etc/OpenCL/vendors \
 && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd \
 && groupadd --gid 10001 engine \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/cache/mini-inference-engine --shell /usr/sbin/nologin engine \
 && install -d -o 10001 -g 0 -m 0775 /var/cache/mini-inference-engine

# NVIDIA's toolkit gives a container "compute", which CUDA and OpenCL need, where it asks for it
ENV HOME=/var/cache/mini-inference-engine XDG_CACHE_HOME=/var/cache/mini-inference-engine LANG=C.UTF-8 NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY target/bundle/mini-inference-engine /opt/mini-inference-engine

# by number, so that Kubernetes can tell that it is not root
USER 10001:10001
EXPOSE 8080
EXPOSE 8081
ENTRYPOINT ["/opt/mini-inference-engine/bin/mie"]
CMD ["serve"]
