package io.miniinference.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/// The arrows between modules and packages: engine-service → spring-boot-starter → engine → kernels
/// → models → memory-pool.
final class ArchitectureTest {
  private static final String WIRE = "io.miniinference..wire..";
  private static final String[] MEMORY_POOL = {
    "io.miniinference.budget..",
    "io.miniinference.layout..",
    "io.miniinference.plan..",
    "io.miniinference.pool.."
  };
  private static final String[] MODELS = {
    "io.miniinference.onnx..",
    "io.miniinference.ops..",
    "io.miniinference.ir..",
    "io.miniinference.signature..",
    "io.miniinference.strings..",
    "io.miniinference.pass..",
    "io.miniinference.interp..",
    "io.miniinference.repository.."
  };
  private static final String[] KERNELS = {
    "io.miniinference.lower..",
    "io.miniinference.cost..",
    "io.miniinference.schedule..",
    "io.miniinference.codegen..",
    "io.miniinference.device..",
    "io.miniinference.runtime..",
    "io.miniinference.listing.."
  };
  private static final String[] ENGINE = {"io.miniinference.engine.."};
  private static final String[] STARTER = {"io.miniinference.spring.."};
  private static final String[] SERVICE = {"io.miniinference.service.."};

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.miniinference");

  @Test
  void modulesPointOneWayAndEveryPackageHasAModule() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("memory-pool")
        .definedBy(MEMORY_POOL)
        .layer("models")
        .definedBy(MODELS)
        .layer("kernels")
        .definedBy(KERNELS)
        .layer("engine")
        .definedBy(ENGINE)
        .layer("spring-boot-starter")
        .definedBy(STARTER)
        .layer("engine-service")
        .definedBy(SERVICE)
        .whereLayer("memory-pool")
        .mayNotAccessAnyLayer()
        .whereLayer("models")
        .mayOnlyAccessLayers("memory-pool")
        .whereLayer("kernels")
        .mayOnlyAccessLayers("models", "memory-pool")
        .whereLayer("engine")
        .mayOnlyAccessLayers("kernels", "models", "memory-pool")
        .whereLayer("spring-boot-starter")
        .mayOnlyAccessLayers("engine", "kernels", "models", "memory-pool")
        .whereLayer("engine-service")
        .mayOnlyAccessLayers("spring-boot-starter", "engine", "kernels", "models", "memory-pool")
        .ensureAllClassesAreContainedInArchitectureIgnoring("io.miniinference.testing..")
        .check(HOUSE);
  }

  @Test
  void memoryPoolKnowsOnlyJavaBase() {
    classes()
        .that()
        .resideInAnyPackage(MEMORY_POOL)
        .should()
        .onlyDependOnClassesThat(
            inJavaBase()
                .or(JavaClass.Predicates.resideInAnyPackage(MEMORY_POOL))
                .or(JavaClass.Predicates.resideInAPackage("org.jspecify.annotations")))
        .check(HOUSE);
  }

  @Test
  void onePackageNeedsTheVectorApi() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.miniinference.interp.lanes")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator..")
        .check(HOUSE);
  }

  @Test
  void modelsKnowProtobufAndNothingElseFromOutside() {
    classes()
        .that()
        .resideInAnyPackage(MODELS)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.miniinference..",
            "com.google.protobuf..",
            "org.jspecify.annotations",
            "java..",
            "jdk.incubator.vector")
        .check(HOUSE);
  }

  @Test
  void onlyThePackageOfOpenClTouchesJocl() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.miniinference.device.opencl")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jocl..")
        .check(HOUSE);
  }

  @Test
  void onlyThePackageOfStringsTouchesRegularExpressionsOfRe2() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.miniinference.runtime.strings")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.google.re2j..")
        .check(HOUSE);
  }

  @Test
  void onlyTheStarterAndTheServiceKnowSpring() {
    noClasses()
        .that()
        .resideOutsideOfPackages(STARTER[0], SERVICE[0])
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(HOUSE);
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("io.miniinference.(**)").should().beFreeOfCycles().check(HOUSE);
  }

  @Test
  void noPackageHasMoreThanThirtyFiles() {
    Map<String, Long> files =
        HOUSE.stream()
            .filter(type -> type.isTopLevelClass() && !type.getPackageName().endsWith(".wire"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertThat(files)
        .isNotEmpty()
        .allSatisfy((_, count) -> assertThat(count).isLessThanOrEqualTo(30));
  }

  /// The clock of the day jumps: deadlines and durations go by another one.
  @Test
  void theClockOfTheDayIsReadOnlyForWhatIsShown() {
    noClasses()
        .that()
        .doNotHaveSimpleName("ModelStatistics")
        .and()
        .doNotHaveSimpleName("SpanClock")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Clock.class, "systemDefaultZone")
        .check(HOUSE);
  }

  @Test
  void everyPackageIsNullMarked() {
    classes()
        .that()
        .resideOutsideOfPackage(WIRE)
        .should()
        .beAssignableTo(
            describe(
                "a class of a package annotated @NullMarked",
                type -> type.getPackage().isAnnotatedWith(NullMarked.class)))
        .check(HOUSE);
  }

  private static DescribedPredicate<JavaClass> inJavaBase() {
    Set<String> packages = Object.class.getModule().getPackages();
    return describe("in java.base", type -> isPrimitiveOrIn(packages, type.getBaseComponentType()));
  }

  private static boolean isPrimitiveOrIn(Set<String> packages, JavaClass type) {
    return type.isPrimitive() || packages.contains(type.getPackageName());
  }

  /// The context that is generated with a build has the beans of a start without properties.
  @Test
  void noBeanOfOursDependsOnAProperty() {
    noClasses().should().beAnnotatedWith(ConditionalOnProperty.class).check(HOUSE);
    noClasses().should().beAnnotatedWith(ConditionalOnBooleanProperty.class).check(HOUSE);
    noMethods().should().beAnnotatedWith(ConditionalOnProperty.class).check(HOUSE);
    noMethods().should().beAnnotatedWith(ConditionalOnBooleanProperty.class).check(HOUSE);
  }
}
