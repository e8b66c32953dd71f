package systemtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/server"
)

// formOf is a multipart form with a file, and its content type.
func formOf(t testing.TB, raw []byte) (body []byte, kind string) {
	t.Helper()
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	require.NoError(t, parts.WriteField("side", "front"))
	into, err := parts.CreateFormFile("file", "a.jpg")
	require.NoError(t, err)
	_, err = into.Write(raw)
	require.NoError(t, err)
	require.NoError(t, parts.Close())
	return form.Bytes(), parts.FormDataContentType()
}

// uploadFile uploads a file once, as a trader, or as a visitor without a token.
func (r *apiFixture) uploadFile(t *testing.T, path, token, visitor string, raw []byte) (status int, code any) {
	t.Helper()
	body, kind := formOf(t, raw)
	status, answer, _ := r.call(t, http.MethodPost, path, token, body, func(q *http.Request) {
		q.Header.Set("Content-Type", kind)
		q.Header.Set("visitor", visitor)
	})
	return status, answer["code"]
}

// writeMessage sends a visitor's first message.
func (r *apiFixture) writeMessage(t *testing.T, visitor string) {
	t.Helper()
	message := []byte(fmt.Sprintf(`{"messageId":%q,"text":"hello"}`, uuid.NewString()))
	_, answer, raw := r.call(t, http.MethodPost, "/kefu/kefuApi/insertMessage", "", message, func(q *http.Request) { q.Header.Set("visitor", visitor) })
	require.Equal(t, "ok", answer["code"], raw)
}

const chatUpload = "/kefu/kefuApi/upload"

var proofUploads = []string{"/client/common/uploadFileImg", "/client/userAuth/uploadImage"}

func TestVisitorsUploadOnceTheyHaveWritten(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	eve, photo := uuid.NewString(), photograph(t)
	status, code := r.uploadFile(t, chatUpload, "", eve, photo)
	require.Equal(t, []any{http.StatusOK, "chat.write_first"}, []any{status, code})
	_, code = r.uploadFile(t, chatUpload, "", eve, []byte("no picture"))
	require.Equal(t, "chat.write_first", code, "before anything is decoded")
	r.writeMessage(t, eve)
	_, code = r.uploadFile(t, chatUpload, "", eve, photo)
	require.Equal(t, "ok", code)
	_, code = r.uploadFile(t, chatUpload, "", uuid.NewString(), photo)
	require.Equal(t, "chat.write_first", code, "each for themselves")
	_, code = r.uploadFile(t, chatUpload, r.real, "", photo)
	require.Equal(t, "ok", code, "a trader may begin with a picture")
}

// TestASlowSenderIsToldSoon starts an upload that is refused and never ends: the refusal must come at once.
func TestASlowSenderIsToldSoon(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	body, kind := formOf(t, make([]byte, 1<<20))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+chatUpload, bytes.NewReader(body))
	require.NoError(t, err)
	sign(request)
	request.Header.Set("Content-Type", kind)
	request.Header.Set("visitor", uuid.NewString())
	whole, err := httputil.DumpRequestOut(request, true)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second))) // the server's own limit is a minute
	_, err = conn.Write(whole[:len(whole)/2])
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	raw, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Contains(t, string(raw), "chat.write_first")
}

// TestAFloodOfVisitors has visitors upload picture bombs at once while a trader submits proofs.
func TestAFloodOfVisitors(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	bomb, visitors := oversizedPNG(12_000, 3_333, nil), make([]string, 16)
	for n := range visitors {
		visitors[n] = uuid.NewString()
		r.writeMessage(t, visitors[n])
	}
	answers := make(chan any, 4*len(visitors))
	var flood sync.WaitGroup
	for _, visitor := range visitors {
		for range 4 {
			flood.Go(func() {
				_, code := r.uploadFile(t, chatUpload, "", visitor, bomb)
				answers <- code
			})
		}
	}
	for _, path := range proofUploads {
		_, code := r.uploadFile(t, path, r.real, "", photograph(t))
		require.Equal(t, "ok", code, path)
	}
	flood.Wait()
	for range cap(answers) {
		require.Contains(t, []any{"upload.too_large", "busy"}, <-answers)
	}
	decoding, received := r.platform.Services.Uploads.Peak()
	require.LessOrEqual(t, decoding, int64(4<<20), "of bombs nothing was decoded")
	require.LessOrEqual(t, received, int64(4<<20))
}

// eicarFile is the standard test file of virus scanners, assembled here so that no scanner flags this source file.
func eicarFile() []byte {
	return []byte(strings.Join([]string{`X5O!P%@AP[4\PZX54(P^)7CC)7}`, `$EICAR-STANDARD`, `-ANTIVIRUS-TEST-FILE!`, `$H+H*`}, ""))
}

// scannerOf answers on loopback as clamd does, and detects the test file.
func scannerOf(t *testing.T) (listener net.Listener) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerScan(conn)
		}
	}()
	return listener
}

func answerScan(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	var file bytes.Buffer
	if _, err := r.ReadString(0); err != nil {
		return
	}
	for size := uint32(1); size > 0; {
		if binary.Read(r, binary.BigEndian, &size) != nil {
			return
		}
		if _, err := io.CopyN(&file, r, int64(size)); err != nil {
			return
		}
	}
	answer := "stream: OK\x00"
	if bytes.Contains(file.Bytes(), eicarFile()) {
		answer = "stream: Eicar-Signature FOUND\x00"
	}
	_, _ = io.WriteString(conn, answer)
}

// TestInfectedUploads sends the scanner test file to every call that takes a picture.
func TestInfectedUploads(t *testing.T) {
	t.Parallel()
	scanner := scannerOf(t)
	r := newAPIFixtureWith(t, func(c *server.Config) { c.Scanner = "clamd://" + scanner.Addr().String() })
	eve, photo := uuid.NewString(), photograph(t)
	r.writeMessage(t, eve)
	send := func(path string, raw []byte) (int, any) {
		if path == chatUpload {
			return r.uploadFile(t, path, "", eve, raw)
		}
		return r.uploadFile(t, path, r.real, "", raw)
	}
	for _, path := range append([]string{chatUpload}, proofUploads...) {
		for _, raw := range [][]byte{eicarFile(), append(bytes.Clone(photo), eicarFile()...)} {
			status, code := send(path, raw)
			require.Equal(t, []any{http.StatusOK, "upload.infected"}, []any{status, code}, path)
		}
		_, code := send(path, photo)
		require.Equal(t, "ok", code, path)
	}
	require.NoError(t, scanner.Close())
	for _, path := range append([]string{chatUpload}, proofUploads...) {
		status, code := send(path, photo)
		require.Equal(t, []any{http.StatusServiceUnavailable, "upload.unscanned"}, []any{status, code}, "%s: nothing is taken that nobody has scanned", path)
	}
}

func TestAScannerThatMakesNoSenseIsRefusedAtTheStart(t *testing.T) {
	t.Setenv("CANDOR_SCANNER", "localhost:3310")
	_, err := server.ReadConfig()
	require.ErrorContains(t, err, "CANDOR_SCANNER")
}
