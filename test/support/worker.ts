/** What each file of tests begins with. What this imports runs once in a worker. */
import './seed.ts'

// A worker has opened its folder of compiled modules when it began: what it starts has another one, or none.
delete process.env.NODE_COMPILE_CACHE
