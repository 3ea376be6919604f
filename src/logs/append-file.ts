import { open, type FileHandle } from "node:fs/promises";

/**
 * A file to which one writer appends through a queue whose size is known, so that the writer can wait when it grows too
 * large.
 */
export class AppendFile {
  readonly #handle: FileHandle;
  #queue: Buffer[] = [];
  #pendingBytes = 0;
  #draining: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Creates the file with access for its owner only; fails if it already exists. */
  static async create(path: string): Promise<AppendFile> {
    return new AppendFile(await open(path, "wx", 0o600));
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The error that stopped writing, such as a full disk. Later appends are dropped. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  append(bytes: Buffer): void {
    if (bytes.length === 0 || this.#failure !== undefined) return;
    this.#queue.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#draining ??= this.#drain();
  }

  /** Resolves when everything appended so far is in the file, or writing has failed. */
  async flushed(): Promise<void> {
    await this.#draining;
  }

  async close(): Promise<void> {
    await this.#draining;
    // Some file systems report a failed write only when the file is closed.
    await this.#handle.close().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  /** Writes many buffers with one system call and without joining them, because most of them are large. */
  async #writeAll(batch: readonly Buffer[], size: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(batch);
    // If only a part was written, as on a nearly full disk, the rest is written at once, which succeeds or fails as a
    // whole.
    if (bytesWritten < size) await this.#handle.appendFile(Buffer.concat(batch).subarray(bytesWritten));
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      const size = batch.reduce((sum, bytes) => sum + bytes.length, 0);
      try {
        await this.#writeAll(batch, size);
      } catch (error) {
        this.#fail(error);
        this.#queue = [];
        this.#pendingBytes = 0;
        break;
      }
      this.#pendingBytes -= size;
    }
    this.#draining = undefined;
  }
}
