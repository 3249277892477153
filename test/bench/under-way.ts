/** An alarm that is due within this time counts as work under way; later ones clean up, or try again. */
const soonMilliseconds = 1_000

type Work<T> = () => T | Promise<T>

/** Work of a Worker and its objects that is not done yet, late work and alarms included. */
export class UnderWay {
  #count = 0
  readonly #alarms = new Map<DurableObjectStorage, number>()

  get isIdle(): boolean {
    return this.#count === 0 && [...this.#alarms.values()].every((at) => at > Date.now() + soonMilliseconds)
  }

  async during<T>(work: Work<T>): Promise<T> {
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
    }
  }

  /** Work of an alarm, which is no longer set when it rings. */
  duringAlarm<T>({ storage }: DurableObjectState, work: Work<T>): Promise<T> {
    this.#alarms.delete(storage)
    return this.during(work)
  }

  /** Counts late work of an invocation or object. */
  watch<T extends Pick<ExecutionContext, 'waitUntil'>>(lifetime: T): T {
    const waitUntil = lifetime.waitUntil.bind(lifetime)
    Object.defineProperty(lifetime, 'waitUntil', {
      value: (work: Promise<unknown>) => waitUntil(this.during(() => work)),
    })
    return lifetime
  }

  /** Counts late work and alarms of an object. */
  watchObject(state: DurableObjectState): DurableObjectState {
    const { storage } = state
    const setAlarm = storage.setAlarm.bind(storage)
    const deleteAlarm = storage.deleteAlarm.bind(storage)
    Object.defineProperties(storage, {
      setAlarm: {
        value: (...given: Parameters<typeof setAlarm>) => {
          this.#alarms.set(storage, Number(given[0]))
          return setAlarm(...given)
        },
      },
      deleteAlarm: {
        value: (...given: Parameters<typeof deleteAlarm>) => {
          this.#alarms.delete(storage)
          return deleteAlarm(...given)
        },
      },
    })
    return this.watch(state)
  }
}
