package io.miniinference.plan.coalesce;

import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.BaseArrays;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.Region;
import io.miniinference.plan.live.Windows;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which blocks have become parts of others, and what lies where in them: the state in which merges
/// are decided one after the other. A *host* is a block that is no part of another.
public final class AliasState {
  private final Program program;
  private final BaseArrays wholes;
  private final Dataflow dataflow;
  private final List<List<Step>> steps;
  private final int[] hosts;
  private final Region[] places;
  private final List<List<Integer>> guests = new ArrayList<>();
  private final List<List<Definition>> contents = new ArrayList<>();
  private final List<List<Candidate>> copies = new ArrayList<>();
  private final int[] uses;
  private final int[] copied;
  private final BitSet elided = new BitSet();
  private final List<List<LiveRange>> branches;
  private final Windows windows;
  private final Map<Integer, List<Array>> ends;

  public AliasState(
      Program program,
      Lifetimes lifetimes,
      BaseArrays wholes,
      Dataflow dataflow,
      List<List<Step>> steps,
      List<Candidate> candidates) {
    this.program = program;
    branches = lifetimes.branches();
    windows = Windows.of(lifetimes);
    ends = ends(program.body());
    this.wholes = wholes;
    this.dataflow = dataflow;
    this.steps = steps;
    int blocks = program.blocks().size();
    hosts = new int[blocks];
    places = new Region[blocks];
    uses = steps.stream().mapToInt(List::size).toArray();
    copied = IntStream.range(0, dataflow.contents().size()).toArray();
    for (int i = 0; i < blocks; i++) {
      hosts[i] = i;
      guests.add(new ArrayList<>(List.of(i)));
      contents.add(new ArrayList<>());
      copies.add(new ArrayList<>());
      places[i] =
          wholes.isTraced(program.blocks().get(i))
              ? Region.whole(wholes.index(i).shape())
              : Region.whole(List.of());
    }
    dataflow.contents().forEach(c -> contents.get(c.array().block().id()).add(c));
    candidates.stream().filter(Candidate::isCopy).forEach(this::addCopy);
  }

  private AliasState(AliasState other) {
    program = other.program;
    branches = other.branches;
    windows = other.windows;
    ends = other.ends;
    wholes = other.wholes;
    dataflow = other.dataflow;
    steps = other.steps;
    hosts = other.hosts.clone();
    places = other.places.clone();
    uses = other.uses.clone();
    copied = other.copied.clone();
    other.guests.forEach(blocks -> guests.add(new ArrayList<>(blocks)));
    contents.addAll(other.contents);
    other.copies.forEach(made -> copies.add(new ArrayList<>(made)));
    elided.or(other.elided);
  }

  private static Map<Integer, List<Array>> ends(Body body) {
    return Stream.concat(body.parameters().stream(), body.results().stream())
        .collect(Collectors.groupingBy(array -> array.block().id()));
  }

  /// What a request brings to a block and takes from it.
  List<Array> ends(int block) {
    return ends.getOrDefault(block, List.of());
  }

  /// The same state, from which other merges can be made.
  public AliasState copy() {
    return new AliasState(this);
  }

  private void addCopy(Candidate copy) {
    int source = copy.source().block().id();
    int destination = copy.destination().block().id();
    copies.get(source).add(copy);
    if (source != destination) {
      copies.get(destination).add(copy);
    }
  }

  public Program program() {
    return program;
  }

  /// Per step with branches, the ticks of each.
  List<List<LiveRange>> branches() {
    return branches;
  }

  public Windows windows() {
    return windows;
  }

  public Dataflow dataflow() {
    return dataflow;
  }

  /// Whether it is known what lies in the block and where, as far as it matters.
  public boolean isTraced(Block block) {
    return block.isPlanned() && wholes.isTraced(block) && dataflow.isKnown(block);
  }

  /// Whether all that lies in the host can be moved.
  public boolean isMovable(int host) {
    return guests.get(host).stream()
        .map(program.blocks()::get)
        .allMatch(block -> !block.isMoving() && wholes.isMovable(block));
  }

  public int host(Array array) {
    return hosts[array.block().id()];
  }

  public int host(int block) {
    return hosts[block];
  }

  /// Where the array lies in its host.
  public Region place(Array array) {
    return wholes.place(array).in(places[array.block().id()]);
  }

  /// Where the block lies in its host.
  public Region place(int block) {
    return places[block];
  }

  /// The index function of a whole block that lies at a place of a host.
  Optional<IndexFunction> index(int host, Region place) {
    return place.index(wholes.index(host));
  }

  /// Blocks that are parts of the host, itself included.
  public List<Integer> guests(int host) {
    return guests.get(host);
  }

  /// What lies in the host.
  public List<Definition> contents(int host) {
    return contents.get(host);
  }

  /// Copies from or to what lies in the host that are still made; some may be listed twice.
  List<Candidate> copies(int host) {
    return copies.get(host);
  }

  /// Steps that read or write what was first in this block.
  public List<Step> steps(int block) {
    return steps.get(block);
  }

  /// How many times steps read or write the parts of the host; a step of two parts counts twice.
  int uses(int host) {
    return uses[host];
  }

  public boolean isElided(Step copy) {
    return elided.get(copy.number());
  }

  /// The content that is left of one that copies made which are dropped, where each copied all of
  /// one other; or else the content itself. Chains of copies are followed once: the paths are
  /// halved (Tarjan and van Leeuwen, 1984).
  int copied(int content) {
    int at = content;
    while (copied[at] != at) {
      copied[at] = copied[copied[at]];
      at = copied[at];
    }
    return at;
  }

  private void drop(Candidate copy) {
    elided.set(copy.step().number());
    List<Dataflow.Leaf> from = dataflow.meaning(copy.source());
    boolean isOfOne =
        from.size() == 1
            && from.getFirst().hidden().isEmpty()
            && from.getFirst().place().equals(wholes.place(copy.source()));
    if (isOfOne) {
      dataflow
          .meaning(copy.destination())
          .forEach(made -> copied[made.content()] = from.getFirst().content());
    }
  }

  /// Makes a merge.
  public void make(Merger.Merged merged) {
    for (int block : guests.get(merged.guest())) {
      hosts[block] = merged.host();
      places[block] = places[block].in(merged.place());
    }
    contents.set(merged.host(), merged.contents());
    if (merged.guest() != merged.host()) {
      guests.get(merged.host()).addAll(guests.get(merged.guest()));
      copies.get(merged.host()).addAll(copies.get(merged.guest()));
      contents.set(merged.guest(), List.of());
      uses[merged.host()] += uses[merged.guest()];
    }
    merged.elided().forEach(this::drop);
    copies.get(merged.host()).removeIf(copy -> isElided(copy.step()));
  }
}
