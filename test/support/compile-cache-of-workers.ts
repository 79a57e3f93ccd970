/** A worker has opened its folder of compiled modules when it began: what it starts has another one, or none. */
delete process.env.NODE_COMPILE_CACHE
