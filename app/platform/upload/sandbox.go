package upload

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// sandboxBytes is the most memory of a library in a sandbox. It suffices for an HEIC photo of 24 megapixels.
const sandboxBytes = 192 << 20

// sandbox runs one library compiled to WebAssembly: it sees neither files nor network, and gets no more memory than its bound. Its machine code is kept in a
// folder, because compiling takes seconds.
type sandbox struct {
	ctx    context.Context
	config wazero.RuntimeConfig
	full   bool // more memory was asked for than there is
}

// newSandbox makes a sandbox; without a folder its library is compiled each time.
func newSandbox(folder string) (*sandbox, error) {
	s := &sandbox{config: wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)}
	if folder != "" {
		cache, err := wazero.NewCompilationCacheWithDir(folder)
		if err != nil {
			return nil, err
		}
		s.config = s.config.WithCompilationCache(cache)
	}
	s.ctx = experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
		return &boundMemory{sandbox: s, bytes: make([]byte, 0, sandboxBytes)} // untouched pages cost nothing, and growing copies nothing
	}))
	return s, nil
}

// boundMemory is the memory of an instance.
type boundMemory struct {
	sandbox *sandbox
	bytes   []byte
}

// Reallocate refuses to grow beyond the bound.
func (m *boundMemory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		m.sandbox.full = true
		return nil
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free implements experimental.LinearMemory: the memory ends with its process.
func (m *boundMemory) Free() {}
