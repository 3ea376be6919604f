import { open, type FileHandle } from "node:fs/promises";

/** A file that is only appended to, in order, by one writer; the queue says how much is still on its way. */
export class AppendFile {
  readonly #handle: FileHandle;
  #queue: Buffer[] = [];
  #pendingBytes = 0;
  #draining: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Creates the file for its owner alone; a file of that name may not exist yet. */
  static async create(path: string): Promise<AppendFile> {
    return new AppendFile(await open(path, "wx", 0o600));
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Why writing stopped, such as a full disk. What is appended after that is dropped. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  append(bytes: Buffer): void {
    if (bytes.length === 0 || this.#failure !== undefined) return;
    this.#queue.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#draining ??= this.#drain();
  }

  /** Resolves when all that was appended so far is in the file, or writing has failed. */
  async flushed(): Promise<void> {
    await this.#draining;
  }

  async close(): Promise<void> {
    await this.#draining;
    // Some file systems say only now that they did not keep what was written.
    await this.#handle.close().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  /** Without joining the pieces first: most of them are large. */
  async #writeAll(batch: readonly Buffer[], size: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(batch);
    // The rest of a short write, as on a nearly full disk, is joined and written until it is done or refused.
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
