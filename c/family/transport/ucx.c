/* SPDX-License-Identifier: BSD-3-Clause */
#include "ucx.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_UCX
#    include <dlfcn.h>
#    include <ucp/api/ucp.h>

#    include "bench.h"

enum { UCX_TAG = 1, ADDRESS_TAG = 1, PATIENCE = 1 << 10 };

struct ucx {
    struct transport transport;
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h peer;
    void **request; /* NULL: done at once, or nothing under way */
};

/* UCX's functions.  They are looked up when a run needs them: a library that is linked would be
   loaded by all programs of the suite. */
static struct {
#    define FUNCTION(prefix, name) __typeof__(prefix##name) *name;
#    define FUNCTIONS                                                                              \
        FUNCTION(ucp_, config_read)                                                                \
        FUNCTION(ucp_, config_release)                                                             \
        FUNCTION(ucp_, init_version)                                                               \
        FUNCTION(ucp_, cleanup)                                                                    \
        FUNCTION(ucp_, get_version_string)                                                         \
        FUNCTION(ucp_, worker_create)                                                              \
        FUNCTION(ucp_, worker_destroy)                                                             \
        FUNCTION(ucp_, worker_get_address)                                                         \
        FUNCTION(ucp_, worker_release_address)                                                     \
        FUNCTION(ucp_, worker_progress)                                                            \
        FUNCTION(ucp_, ep_create)                                                                  \
        FUNCTION(ucp_, ep_close_nbx)                                                               \
        FUNCTION(ucp_, tag_send_nbx)                                                               \
        FUNCTION(ucp_, tag_recv_nbx)                                                               \
        FUNCTION(ucp_, request_check_status)                                                       \
        FUNCTION(ucp_, request_free)                                                               \
        FUNCTION(ucs_, status_string)
    FUNCTIONS
#    undef FUNCTION
} ucx;

/* NULL, or why there is none.  As with a linked library, what is preloaded comes first. */
static const char *load(void)
{
    if (dlopen("libucp.so.0", RTLD_NOW | RTLD_GLOBAL) == NULL)
        return dlerror();
#    define FUNCTION(prefix, name)                                                                 \
        *(void **)&ucx.name = dlsym(RTLD_DEFAULT, #prefix #name);                                  \
        if (ucx.name == NULL)                                                                      \
            return dlerror();
    FUNCTIONS
    return NULL;
}

static enum exit_code begin(const struct context *c)
{
    const char *const why = load();

    return world_refuse_first(c->world, why != NULL, E29_LIBRARY, "%s", why);
}

static _Noreturn void lost(const char *what, ucs_status_t status)
{
    char why[200];

    snprintf(why, sizeof why, "UCX: %s: %s", what, ucx.status_string(status));
    transport_lost(why);
}

void ucx_send(struct ucx *u, int i, const void *message, size_t bytes)
{
    const ucp_request_param_t plain = { .op_attr_mask = 0 };

    u->request[i] = ucx.tag_send_nbx(u->peer, message, bytes, UCX_TAG, &plain);
}

void ucx_recv(struct ucx *u, int i, void *to, size_t bytes)
{
    const ucp_request_param_t plain = { .op_attr_mask = 0 };

    u->request[i] = ucx.tag_recv_nbx(u->worker, to, bytes, UCX_TAG, (ucp_tag_t)-1, &plain);
}

static void finish(struct ucx *u, void *request)
{
    ucs_status_t status;
    unsigned times = 0;

    if (UCS_PTR_IS_ERR(request))
        lost("message", UCS_PTR_STATUS(request));
    while ((status = ucx.request_check_status(request)) == UCS_INPROGRESS)
        if (ucx.worker_progress(u->worker) == 0)
            transport_idle(&times, PATIENCE);
    ucx.request_free(request);
    if (status != UCS_OK)
        lost("message", status);
}

void ucx_wait(struct ucx *u, int first, int n)
{
    for (int i = first; i < first + n; i++)
        if (u->request[i] != NULL) {
            finish(u, u->request[i]);
            u->request[i] = NULL;
        }
}

/* Did the step succeed?  false: why[] has UCX's text. */
static bool is_good(ucs_status_t status, const char *step, char *why, size_t room)
{
    if (status != UCS_OK)
        snprintf(why, room, "UCX: %s: %s", step, ucx.status_string(status));
    return status == UCS_OK;
}

static bool open_worker(struct ucx *u, char *why, size_t room)
{
    const ucp_params_t params = { .field_mask = UCP_PARAM_FIELD_FEATURES,
                                  .features = UCP_FEATURE_TAG };
    const ucp_worker_params_t single = { .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                         .thread_mode = UCS_THREAD_MODE_SINGLE };
    ucp_config_t *config;
    bool good;

    if (!is_good(ucx.config_read(NULL, NULL, &config), "settings", why, room))
        return false;
    good = is_good(ucx.init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &u->context),
                   "start", why, room);
    ucx.config_release(config);
    return good && is_good(ucx.worker_create(u->context, &single, &u->worker), "worker", why, room);
}

/* Connect to the other rank's worker at this address. */
static bool connect_to(struct ucx *u, void *address, char *why, size_t room)
{
    const ucp_ep_params_t params = { .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                                     .address = address };

    return is_good(ucx.ep_create(u->worker, &params, &u->peer), "connection", why, room);
}

/* Exchange the addresses of the workers.  Returns the other one, to be freed,
   and its length.  A rank without a worker passes length 0. */
static char *exchange_addresses(const struct context *c, const ucp_address_t *own,
                                unsigned long length, unsigned long *other)
{
    const int peer = c->run->peer;
    char *address;

    PMPI_Sendrecv(&length, 1, MPI_UNSIGNED_LONG, peer, ADDRESS_TAG, other, 1, MPI_UNSIGNED_LONG,
                  peer, ADDRESS_TAG, c->world->comm, MPI_STATUS_IGNORE);
    address = world_room(*other, 1, "the address of the other rank");
    PMPI_Sendrecv(own, (int)length, MPI_BYTE, peer, ADDRESS_TAG, address, (int)*other, MPI_BYTE,
                  peer, ADDRESS_TAG, c->world->comm, MPI_STATUS_IGNORE);
    return address;
}

/* Create worker and connection. */
static bool connect_ranks(const struct context *c, const struct buffer *send, char *why,
                          size_t room)
{
    struct ucx *u = ucx_of(c->run);
    ucp_address_t *own = NULL;
    unsigned long other;
    size_t bytes = 0;
    char *address;
    bool good;

    u->request = world_keep((size_t)c->run->window + 1, sizeof *u->request, "requests of UCX");
    good = open_worker(u, why, room) &&
           is_good(ucx.worker_get_address(u->worker, &own, &bytes), "address", why, room);
    address = exchange_addresses(c, own, good ? bytes : 0, &other);
    good = good && other > 0 && connect_to(u, address, why, room);
    free(address);
    if (own != NULL)
        ucx.worker_release_address(u->worker, own);
    return good;
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct transport *t = transport_of(c->run);

    snprintf(t->over, sizeof t->over, "UCX %s", ucx.get_version_string());
    return transport_connect(c, &b->send, connect_ranks);
}

/* Progress until the other rank is here too: its messages may still need this worker. */
static void leave_together(struct ucx *u, MPI_Comm comm)
{
    MPI_Request all;
    int here = 0;

    PMPI_Ibarrier(comm, &all);
    while (!here) {
        if (u->worker != NULL)
            ucx.worker_progress(u->worker);
        PMPI_Test(&all, &here, MPI_STATUS_IGNORE);
    }
}

static void end(const struct context *c)
{
    const ucp_request_param_t flush = { .op_attr_mask = 0 };
    struct ucx *u = ucx_of(c->run);

    if (u->peer != NULL) {
        void *request = ucx.ep_close_nbx(u->peer, &flush);

        if (UCS_PTR_IS_PTR(request)) {
            while (ucx.request_check_status(request) == UCS_INPROGRESS)
                ucx.worker_progress(u->worker);
            ucx.request_free(request);
        }
    }
    leave_together(u, c->world->comm);
    if (u->worker != NULL)
        ucx.worker_destroy(u->worker);
    if (u->context != NULL)
        ucx.cleanup(u->context);
}

const struct family transport_ucx_family = {
    .name = "transport",
    .state = sizeof(struct ucx),
    .plan = transport_plan,
    .begin = begin,
    .ready = ready,
    .end = end,
    .record = transport_record,
};
#else
void ucx_send(struct ucx *u, int i, const void *message, size_t bytes)
{
}

void ucx_recv(struct ucx *u, int i, void *to, size_t bytes)
{
}

void ucx_wait(struct ucx *u, int first, int n)
{
}

static void refuse(const struct context *c, struct refusal *r)
{
    refusal_because(r, E29_LIBRARY, "this build has no UCX");
}

const struct family transport_ucx_family = {
    .name = "transport",
    .refuse = refuse,
    .state = sizeof(struct transport),
    .plan = transport_plan,
};
#endif
