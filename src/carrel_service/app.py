"""Puts the application together: the door, the errors, the routes, and what runs as long as it does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from . import answers, current, description, docs, errors, samples
from .access import Access, Credentials, RateLimit
from .context import Service

ROUTERS: tuple[APIRouter, ...] = (
    current.router,
    *answers.ROUTERS,
    docs.router,
)


def create_app(service: Service, credentials: Credentials) -> FastAPI:
    """The application over an opened service; its lifespan starts and closes the service's work."""
    app = FastAPI(
        title="Carrel built-in service",
        version="1.0.0",
        docs_url=None,
        redoc_url=None,
        openapi_url=docs.OPENAPI_PATH,
        lifespan=_lifespan,
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    errors.install(app)
    description.describe(app)
    rate = RateLimit(service.settings.rate_limit)
    app.add_middleware(Access, credentials=credentials, rate=rate, tenants=service.settings.tenants)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    service.background.open()
    if service.settings.samples:
        await asyncio.to_thread(samples.add_once, service.library)
    answers.begin(service)
    service.index.start()
    service.folders.start()
    yield
    await service.background.close()
    await asyncio.to_thread(service.close)
