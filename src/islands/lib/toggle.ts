export interface ToggleParts {
  /** Saves a state. False where it was refused. */
  readonly save: (on: boolean) => Promise<boolean>
  readonly show: (on: boolean) => void
}

/** A mark that shows at once what was pressed, and saves the last press alone. */
export class Toggle {
  readonly #parts: ToggleParts
  #saved: boolean
  #wanted: boolean
  #isSaving = false

  constructor(saved: boolean, parts: ToggleParts) {
    this.#saved = saved
    this.#wanted = saved
    this.#parts = parts
  }

  get isOn(): boolean {
    return this.#wanted
  }

  /** Changes the mark. Resolves with whether the state that was wanted last is saved. */
  async press(): Promise<boolean> {
    this.#wanted = !this.#wanted
    this.#parts.show(this.#wanted)
    if (this.#isSaving) return true
    this.#isSaving = true
    try {
      while (this.#wanted !== this.#saved) {
        const wanted = this.#wanted
        if (await this.#parts.save(wanted)) this.#saved = wanted
        else {
          this.#wanted = this.#saved
          this.#parts.show(this.#saved)
          return false
        }
      }
      return true
    } finally {
      this.#isSaving = false
    }
  }
}
