package io.miniinference.bench;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// The benchmarks look at the engine from outside, and each at its own peer only.
final class BenchArchitectureTest {
  private static final String BENCH = "io.miniinference.bench..";
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.miniinference");

  @Test
  void nothingDependsOnBenchmarks() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BENCH)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(BENCH)
        .check(ALL);
  }

  @Test
  void allButItsPeerCanBeLoadedWithoutOnnxRuntime() {
    noClasses()
        .that()
        .haveNameNotMatching("io\\.miniinference\\.bench\\.models\\.OnnxRuntimePeer(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ai.onnxruntime..")
        .check(ALL);
  }

  @Test
  void onlyOnePackageOfBenchmarksTouchesJocl() {
    noClasses()
        .that()
        .resideInAPackage(BENCH)
        .and()
        .resideOutsideOfPackage("io.miniinference.bench.pool")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jocl..")
        .check(ALL);
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("io.miniinference.bench.(*)..").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void everyPackageIsNullMarked() {
    classes()
        .that()
        .resideInAPackage(BENCH)
        .should()
        .beAssignableTo(
            describe(
                "a class of a package annotated @NullMarked",
                type -> type.getPackage().isAnnotatedWith(NullMarked.class)))
        .check(ALL);
  }
}
