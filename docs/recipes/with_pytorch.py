"""Add up counts over processes: ``torchrun --standalone --nproc-per-node 2 with_pytorch.py``."""

import pyarrow.parquet as parquet
import torch
import torch.distributed as distributed

import vecbleu

distributed.init_process_group("gloo")
rank, processes = distributed.get_rank(), distributed.get_world_size()
rows = parquet.read_table("rows.parquet")
rows = rows.take([*range(rank, len(rows), processes)])

corpus = vecbleu.Accumulator(workers=1)
corpus.update(rows["output"], rows["refs"])
counts = torch.from_numpy(corpus.state)  # .to("cuda") for NCCL
distributed.all_reduce(counts)  # a sum
corpus.state = counts.cpu().numpy()
if rank == 0:
    print("all", round(corpus.compute(), 4))
distributed.destroy_process_group()
