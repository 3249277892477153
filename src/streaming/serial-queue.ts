/** Runs tasks one after the other. A failure rejects the promise of its own task and does not stop later ones. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = Promise.allSettled([turn])
    return turn
  }
}
