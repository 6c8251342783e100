/** A user of the engine on the module path. Without this file it would be one on the class path. */
module example.digits {
  requires io.miniinference.engine;
  requires java.desktop;
}
