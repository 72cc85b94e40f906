/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/net.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MTU "9216" /* room for payloads of 8 KiB */

static int fail(char *err, size_t errlen, const char *what)
{
    const int code = errno ? errno : EIO;

    snprintf(err, errlen, "%s: %s", what, strerror(code));
    return -code;
}

/* ---- namespaces ---- */

static bool put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return good;
}

/* As root, or as anybody where user namespaces are allowed: there this user is root. */
static bool enter_own(void)
{
    char map[64];

    if (unshare(CLONE_NEWNET) == 0)
        return true;
    snprintf(map, sizeof(map), "0 %u 1", (unsigned)geteuid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
        return false;
    (void)put("/proc/self/setgroups", "deny");
    return put("/proc/self/uid_map", map);
}

static int open_own(void)
{
    return open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

/* Another one, by its descriptor; this process stays where it is. -1. */
static int new_namespace(int home)
{
    int fd = unshare(CLONE_NEWNET) == 0 ? open_own() : -1;

    if (setns(home, CLONE_NEWNET) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- links ---- */

/* Runs `ip -batch` with these lines in a namespace (-1: here). */
static bool ip(int namespace, const char *lines)
{
    int ends[2], status;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid = fork();
    if (pid == 0) {
        dup2(ends[0], STDIN_FILENO);
        if (namespace >= 0 && setns(namespace, CLONE_NEWNET))
            _exit(1);
        setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
        execlp("ip", "ip", "-batch", "-", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    const size_t n = strlen(lines);
    const bool wrote = write(ends[1], lines, n) == (ssize_t)n;
    close(ends[1]);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0 && wrote;
}

static bool make_cable(const char *name, int far)
{
    char lines[400];

    snprintf(lines, sizeof(lines),
             "link add name %s type veth peer name " NET_INTERFACE " netns /proc/%d/fd/%d\n"
             "link set dev %s addrgenmode none mtu " MTU "\n"
             "link set dev %s up\n",
             name, (int)getpid(), far, name, name);
    return ip(-1, lines) && ip(far, "link set dev lo up\n"
                                    "link set dev " NET_INTERFACE " addrgenmode none mtu " MTU "\n"
                                    "link set dev " NET_INTERFACE " up\n");
}

static bool has_carrier(const char *name)
{
    struct ifreq request = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up;

    snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0 && request.ifr_flags & IFF_RUNNING;
    if (fd >= 0)
        close(fd);
    return up;
}

/* Until the kernel has noted the carrier, an end drops what it is given. */
static bool wait_for_carrier(const struct net *net)
{
    for (int ms = 0; ms < 5000 && !(has_carrier(NET_LEFT) && has_carrier(NET_RIGHT)); ms++)
        usleep(1000);
    /* Who has had the lock of the links after that finds their queues open, too. */
    return ip(-1, "link set dev " NET_LEFT " up\nlink set dev " NET_RIGHT " up\n") &&
           ip(net->client, "link set dev " NET_INTERFACE " up\n") &&
           ip(net->server, "link set dev " NET_INTERFACE " up\n") && has_carrier(NET_LEFT);
}

int net_make(struct net *net, char *err, size_t errlen)
{
    int home;

    *net = (struct net){-1, -1};
    errno = 0;
    if (!enter_own())
        return fail(err, errlen,
                    "no network namespace (try as root, or set "
                    "user.max_user_namespaces above 0)");
    home = open_own();
    net->client = home < 0 ? -1 : new_namespace(home);
    net->server = home < 0 ? -1 : new_namespace(home);
    if (home >= 0)
        close(home);
    if (net->client < 0 || net->server < 0)
        return fail(err, errlen, "no network namespace for an endpoint");
    if (!make_cable(NET_LEFT, net->client) || !make_cable(NET_RIGHT, net->server))
        return fail(err, errlen, "no veth pair (program ip of iproute2, module veth)");
    return wait_for_carrier(net) ? 0 : fail(err, errlen, "the veth pairs do not come up");
}

void net_close(struct net *net)
{
    if (net->client >= 0)
        close(net->client);
    if (net->server >= 0)
        close(net->server);
}

bool net_possible(char *err, size_t errlen)
{
    struct net net;
    char line[200] = "";
    int ends[2], status = -1;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid = fork();
    if (pid == 0) {
        int rc = net_make(&net, line, sizeof(line));

        (void)!write(ends[1], line, strlen(line));
        _exit(rc ? 1 : 0);
    }
    close(ends[1]);
    const ssize_t n = read(ends[0], line, sizeof(line) - 1);
    close(ends[0]);
    line[n > 0 ? n : 0] = '\0';
    snprintf(err, errlen, "%s", line);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
