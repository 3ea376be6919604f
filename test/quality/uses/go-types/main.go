// Writes what the type checker of Go says about the uses of definitions in a module, as test/quality/uses/truth.ts describes it:
// go run test/quality/uses/go-types/main.go CHECKOUT >truth/NAME.json
// Packages outside of the module and the standard library may be missing: names of them are not resolved, all others are.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type symbol struct {
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Name     string   `json:"name"`
	IsMember bool     `json:"isMember"`
	Uses     []string `json:"uses"`
}

type checker struct {
	root, module string
	files        *token.FileSet
	standard     types.Importer
	packages     map[string]*types.Package
	symbols      map[token.Position]*symbol
	uses         map[token.Position]map[string]bool
	read         map[string]bool
}

// Import returns a package of the module from its sources, one of the standard library, or an empty one.
func (c *checker) Import(path string) (*types.Package, error) {
	if known := c.packages[path]; known != nil {
		return known, nil
	}
	if path != c.module && !strings.HasPrefix(path, c.module+"/") {
		if found, err := c.standard.Import(path); err == nil {
			return found, nil
		}
		return nil, fmt.Errorf("no package %s", path)
	}
	folder := filepath.Join(c.root, strings.TrimPrefix(path, c.module))
	found, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	checked := c.check(path, folder, append(found.GoFiles, found.CgoFiles...))
	c.packages[path] = checked
	return checked, nil
}

// check reads some files of a folder as one package and notes its definitions and uses.
func (c *checker) check(path, folder string, names []string) *types.Package {
	var parsed []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(c.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if file != nil && err == nil {
			parsed = append(parsed, file)
			relative, _ := filepath.Rel(c.root, filepath.Join(folder, name))
			c.read[relative] = true
		}
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: c, FakeImportC: true, Error: func(error) {}}
	checked, _ := config.Check(path, c.files, parsed, info)
	for name, object := range info.Defs {
		c.define(name, object, checked)
	}
	for name, object := range info.Uses {
		if object.Pos().IsValid() {
			at := c.files.Position(object.Pos())
			if c.uses[at] == nil {
				c.uses[at] = map[string]bool{}
			}
			use := c.files.Position(name.Pos())
			relative, _ := filepath.Rel(c.root, use.Filename)
			c.uses[at][fmt.Sprintf("%s:%d", relative, use.Line)] = true
		}
	}
	return checked
}

// define notes a definition at the top of a package, or a member of a type there.
func (c *checker) define(name *ast.Ident, object types.Object, within *types.Package) {
	if object == nil || name.Name == "_" || name.Name == "init" || name.Name == "main" {
		return
	}
	at := c.files.Position(name.Pos())
	relative, _ := filepath.Rel(c.root, at.Filename)
	found := &symbol{Path: relative, Line: at.Line, Name: name.Name}
	if object.Parent() != within.Scope() {
		function, isFunction := object.(*types.Func)
		if !isFunction {
			return
		}
		receiver := function.Type().(*types.Signature).Recv()
		if receiver == nil {
			return
		}
		kind := receiver.Type()
		if pointer, isPointer := kind.(*types.Pointer); isPointer {
			kind = pointer.Elem()
		}
		named, isNamed := kind.(*types.Named)
		if !isNamed {
			return
		}
		found.Name = named.Obj().Name() + "." + name.Name
		found.IsMember = true
	}
	c.symbols[at] = found
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	manifest, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := regexp.MustCompile(`(?m)^module\s+(\S+)`).FindSubmatch(manifest)[1]
	files := token.NewFileSet()
	build.Default.CgoEnabled = false
	c := &checker{
		root: root, module: string(module), files: files,
		standard: importer.ForCompiler(files, "source", nil),
		packages: map[string]*types.Package{}, symbols: map[token.Position]*symbol{},
		uses: map[token.Position]map[string]bool{}, read: map[string]bool{},
	}
	err = filepath.WalkDir(root, func(folder string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		_, isOther := os.Stat(filepath.Join(folder, "go.mod"))
		if folder != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || isOther == nil) {
			return filepath.SkipDir
		}
		found, err := build.ImportDir(folder, 0)
		if err != nil {
			return nil
		}
		path := c.module + strings.TrimPrefix(folder, root)
		c.Import(path)
		if len(found.TestGoFiles) > 0 {
			c.check(path, folder, append(append([]string{}, found.GoFiles...), found.TestGoFiles...))
		}
		if len(found.XTestGoFiles) > 0 {
			c.check(path+"_test", folder, found.XTestGoFiles)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	symbols := []*symbol{}
	for at, one := range c.symbols {
		one.Uses = keys(c.uses[at])
		symbols = append(symbols, one)
	}
	sort.Slice(symbols, func(a, b int) bool {
		if symbols[a].Path != symbols[b].Path {
			return symbols[a].Path < symbols[b].Path
		}
		return symbols[a].Line < symbols[b].Line
	})
	json.NewEncoder(os.Stdout).Encode(map[string]any{"symbols": symbols, "files": keys(c.read), "ignored": []string{}})
}

func keys(set map[string]bool) []string {
	found := []string{}
	for key := range set {
		found = append(found, key)
	}
	sort.Strings(found)
	return found
}
