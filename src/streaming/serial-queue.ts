/** Does one thing after the other. What fails is told to whoever asked for it, and stops nothing behind it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = Promise.allSettled([turn])
    return turn
  }
}
