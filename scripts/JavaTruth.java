import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Prints where javac finds the types, methods and fields of a repository used, as the JSON that test/quality/uses/truth.ts describes:
 * java scripts/JavaTruth.java ROOT CLASSPATH >truth.json
 */
public class JavaTruth {
  record Key(String path, long line, String name, boolean isMember) {}

  static final int SYMBOLS_PER_SORT = 150;

  public static void main(String[] arguments) throws IOException {
    Path root = Paths.get(arguments[0]).toRealPath();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    List<File> sources;
    try (Stream<Path> all = Files.walk(root)) {
      sources = all.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && !p.endsWith("package-info.java"))
          .sorted().map(Path::toFile).collect(Collectors.toList());
    }
    List<String> options = List.of("-proc:none", "-cp", arguments.length > 1 ? arguments[1] : "", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW", "-nowarn");
    DiagnosticCollector<JavaFileObject> complaints = new DiagnosticCollector<>();
    JavacTask task = (JavacTask) compiler.getTask(new StringWriter(), files, complaints, options, null, files.getJavaFileObjectsFromFiles(sources));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    Trees trees = Trees.instance(task);
    long errors = complaints.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR).count();
    System.err.println(sources.size() + " files, " + errors + " errors");
    Set<String> broken = complaints.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR && d.getSource() != null)
        .map(d -> root.relativize(Paths.get(d.getSource().toUri())).toString()).collect(Collectors.toSet());
    Map<Key, Set<String>> found = new LinkedHashMap<>();
    Map<String, Key> byName = new HashMap<>();
    Map<Element, Key> keys = new HashMap<>();
    for (CompilationUnitTree unit : units) declare(trees, unit, root, found, keys, byName);
    for (CompilationUnitTree unit : units) use(trees, unit, root, found, keys);
    List<Key> asked = new ArrayList<>();
    for (boolean isMember : new boolean[] {false, true})
      found.keySet().stream().filter(k -> k.isMember == isMember)
          .sorted(Comparator.comparingInt(k -> Integer.reverse((k.path + k.name).hashCode() * 0x9E3779B1))).limit(SYMBOLS_PER_SORT).forEach(asked::add);
    String judged = units.stream().map(u -> pathOf(u, root)).filter(p -> !broken.contains(p)).map(JavaTruth::quoted).collect(Collectors.joining(","));
    String symbols = asked.stream().map(k -> "{\"path\":" + quoted(k.path) + ",\"line\":" + k.line + ",\"name\":" + quoted(k.name) + ",\"isMember\":" + k.isMember
        + ",\"uses\":[" + found.get(k).stream().filter(p -> !broken.contains(p.substring(0, p.lastIndexOf(':')))).map(JavaTruth::quoted).collect(Collectors.joining(",")) + "]}").collect(Collectors.joining(",\n"));
    System.out.println("{\"symbols\":[" + symbols + "],\n\"files\":[" + judged + "],\n\"ignored\":[]}");
  }

  static String quoted(String text) { return "\"" + text + "\""; }

  static String pathOf(CompilationUnitTree unit, Path root) { return root.relativize(Paths.get(unit.getSourceFile().toUri())).toString(); }

  static void declare(Trees trees, CompilationUnitTree unit, Path root, Map<Key, Set<String>> found, Map<Element, Key> keys, Map<String, Key> byName) {
    String path = pathOf(unit, root);
    new TreePathScanner<Void, Void>() {
      void add(Tree tree, String name) {
        Element element = trees.getElement(getCurrentPath());
        if (element == null || name.isEmpty() || name.equals("<init>")) return;
        Element owner = element.getEnclosingElement();
        boolean isType = element.getKind().isClass() || element.getKind().isInterface();
        if (!isType && !(owner instanceof TypeElement)) return;
        boolean isMember = owner instanceof TypeElement;
        if (isType && !(owner instanceof TypeElement) && !(owner instanceof PackageElement)) return;
        if (isMember && owner.getSimpleName().length() == 0) return;
        String full = isMember ? owner.getSimpleName() + "." + name : name;
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        // Overloads are one definition.
        Key key = byName.computeIfAbsent(path + " " + full, k -> new Key(path, lineOfName(start, name), full, isMember));
        found.putIfAbsent(key, new TreeSet<>());
        keys.put(element, key);
      }
      long lineOfName(long start, String name) {
        try {
          String text = unit.getSourceFile().getCharContent(true).toString();
          java.util.regex.Matcher at = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b(?!\\s*\\.)").matcher(text);
          return unit.getLineMap().getLineNumber(at.find((int) Math.max(0, start)) ? at.start() : Math.max(0, start));
        } catch (IOException error) { throw new UncheckedIOException(error); }
      }
      @Override public Void visitClass(ClassTree tree, Void v) { add(tree, tree.getSimpleName().toString()); return super.visitClass(tree, v); }
      @Override public Void visitMethod(MethodTree tree, Void v) { add(tree, tree.getName().toString()); return super.visitMethod(tree, v); }
      @Override public Void visitVariable(VariableTree tree, Void v) { add(tree, tree.getName().toString()); return super.visitVariable(tree, v); }
    }.scan(unit, null);
  }

  static void use(Trees trees, CompilationUnitTree unit, Path root, Map<Key, Set<String>> found, Map<Element, Key> keys) {
    String path = pathOf(unit, root);
    new TreePathScanner<Void, Void>() {
      void add(long position) {
        Element element = trees.getElement(getCurrentPath());
        if (element == null || position < 0) return;
        if (element.getKind() == ElementKind.CONSTRUCTOR) element = element.getEnclosingElement();
        Key key = keys.get(element);
        if (key != null) found.get(key).add(path + ":" + unit.getLineMap().getLineNumber(position));
      }
      long start(Tree tree) { return trees.getSourcePositions().getStartPosition(unit, tree); }
      long nameIn(Tree tree, Tree before, CharSequence name) {
        try {
          long from = trees.getSourcePositions().getEndPosition(unit, before);
          if (from < 0) return -1;
          return unit.getSourceFile().getCharContent(true).toString().indexOf(name.toString(), (int) from);
        } catch (IOException error) { throw new UncheckedIOException(error); }
      }
      @Override public Void visitImport(ImportTree tree, Void v) { return null; }
      @Override public Void visitPackage(PackageTree tree, Void v) { return scan(tree.getAnnotations(), v); }
      @Override public Void visitIdentifier(IdentifierTree tree, Void v) {
        String name = tree.getName().toString();
        // `super(…)` and `this(…)` name no definition.
        if (!name.equals("super") && !name.equals("this") && trees.getSourcePositions().getEndPosition(unit, tree) >= 0) add(start(tree));
        return super.visitIdentifier(tree, v);
      }
      @Override public Void visitMemberSelect(MemberSelectTree tree, Void v) {
        String name = tree.getIdentifier().toString();
        if (!name.equals("class") && !name.equals("this") && !name.equals("super")) add(nameIn(tree, tree.getExpression(), name));
        return super.visitMemberSelect(tree, v);
      }
      @Override public Void visitMemberReference(MemberReferenceTree tree, Void v) {
        if (tree.getMode() == MemberReferenceTree.ReferenceMode.INVOKE) add(nameIn(tree, tree.getQualifierExpression(), tree.getName()));
        return super.visitMemberReference(tree, v);
      }
    }.scan(unit, null);
  }
}
